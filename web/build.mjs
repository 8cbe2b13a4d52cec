// Builds what the daemon embeds: the page, the reference, and the assets they load, under names that change with
// their bytes.
//
//     node web/build.mjs OUT OPENAPI.json PIECES.css
//
// Writes into the folder OUT. Needs what `npm ci` has put into web/node_modules, and no network.
import {build} from 'esbuild';
import {readFile, writeFile, mkdir, rm} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {renderDocs} from './docs.mjs';

const WEB = dirname(fileURLToPath(import.meta.url));
const [OUT, OPENAPI, PIECES] = process.argv.slice(2).map(path => resolve(path));

// The stylesheet of the board component loses its own pieces, which have another licence than ours.
const PIECE_RULE = /\.[wb][kqrbnp] \{\s*background-image: url\("[^"]*"\);\s*\}/g;
// It goes into the shadow tree as a sheet object: the policy of the page forbids <style>.
const STYLE_ELEMENT = /this\._style = document\.createElement\("style"\);\s*this\._style\.textContent = importedStyles;\s*this\._shadow\.appendChild\(this\._style\);/g;

// Our pieces, as tools/pieces.c writes them.
const PIECE_CLASS = /^\.([wb][kqrbnp]) \{/gm;

function mustReplace(text, pattern, replacement, times) {
    const found = text.match(pattern)?.length ?? 0;
    if (found !== times)
        throw new Error(`${pattern} matches ${found} times, not ${times}: what it is meant for has changed`);
    return text.replace(pattern, replacement);
}

const board = {
    name: 'board',
    setup(build) {
        build.onResolve({filter: /^gchessboard$/}, () => ({
            path: join(WEB, 'node_modules/gchessboard/src/index.ts'),
            sideEffects: true,
        }));
        build.onResolve({filter: /style\.css\?inline$/}, args => ({
            path: resolve(args.resolveDir, 'style.css'),
            namespace: 'sheet',
        }));
        build.onLoad({filter: /.*/, namespace: 'sheet'}, async args => {
            const css = mustReplace(await readFile(args.path, 'utf8'), PIECE_RULE, '', 12);
            return {
                contents: `const sheet = new CSSStyleSheet();
                    sheet.replaceSync(${JSON.stringify(css)});
                    export default sheet;`,
                loader: 'js',
            };
        });
        build.onLoad({filter: /GChessBoardElement\.ts$/}, async args => ({
            contents: mustReplace(await readFile(args.path, 'utf8'), STYLE_ELEMENT,
                'this._shadow.adoptedStyleSheets = [importedStyles as unknown as CSSStyleSheet];', 1),
            loader: 'ts',
        }));
        build.onResolve({filter: /^pieces\.css$/}, () => ({path: PIECES, namespace: 'pieces'}));
        build.onLoad({filter: /.*/, namespace: 'pieces'}, async () => ({
            contents: mustReplace(await readFile(PIECES, 'utf8'), PIECE_CLASS,
                'g-chess-board::part(piece-$1), .piece.$1 {', 12),
            loader: 'css',
        }));
    },
};

async function licence(name) {
    return (await readFile(join(WEB, 'node_modules', name, 'LICENSE'), 'utf8')).trim();
}

async function bundle() {
    const result = await build({
        entryPoints: ['src/app.js', 'src/docs.js', 'src/style.css', 'src/docs.css'].map(file => join(WEB, file)),
        outdir: OUT,
        bundle: true,
        minify: true,
        format: 'esm',
        target: ['chrome111', 'firefox113', 'safari16.4'],
        entryNames: '[name]-[hash]',
        assetNames: '[name]-[hash]',
        publicPath: '/assets',
        loader: {'.woff2': 'file'},
        legalComments: 'none',
        metafile: true,
        logLevel: 'warning',
        plugins: [board],
    });
    const names = {};
    for (const [path, output] of Object.entries(result.metafile.outputs)) {
        if (output.entryPoint)
            names[basename(output.entryPoint)] = `/assets/${basename(path)}`;
        else if (path.endsWith('.woff2'))
            names['inter.woff2'] = `/assets/${basename(path)}`;
    }
    return names;
}

function fill(template, values) {
    return template.replace(/\{\{([a-z0-9.]+)\}\}/g, (_, name) => {
        if (values[name] === undefined)
            throw new Error(`nothing for {{${name}}}`);
        return values[name];
    });
}

await rm(OUT, {recursive: true, force: true});
await mkdir(OUT, {recursive: true});
const names = await bundle();
await writeFile(join(OUT, 'index.html'), fill(await readFile(join(WEB, 'src/index.html'), 'utf8'), names));
const docs = renderDocs(JSON.parse(await readFile(OPENAPI, 'utf8')), await readFile(join(WEB, 'cookbook.txt'), 'utf8'), [
    {name: 'gchessboard', use: 'the board of the page', text: await licence('gchessboard')},
    {name: 'Inter', use: 'the typeface of the page', text: await licence('@fontsource-variable/inter')},
]);
await writeFile(join(OUT, 'docs.html'), fill(await readFile(join(WEB, 'src/docs.html'), 'utf8'), {...names, ...docs}));
