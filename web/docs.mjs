// The API reference as HTML, out of openapi.yaml, with the cookbook and the notices. Pure: text in, text out.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const escape = text => String(text).replace(/[&<>"]/g, sign => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[sign]);

const code = text => `<code>${escape(text)}</code>`;

/** A line of a description: `code`, **strong**, and nothing else. */
function inline(text) {
    return text.split('`').map((part, index) => index % 2 ? code(part)
        : escape(part).replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')).join('');
}

/** Paragraphs, and lists of lines that begin with a dash. */
function prose(text = '') {
    return text.trim().split(/\n\s*\n/).filter(Boolean).map(block => {
        const lines = block.split('\n');
        if (!lines[0].startsWith('- '))
            return `<p>${inline(lines.join(' '))}</p>`;
        const items = block.split(/^- /m).filter(Boolean).map(item => `<li>${inline(item.replace(/\s*\n\s*/g, ' ').trim())}</li>`);
        return `<ul>${items.join('')}</ul>`;
    }).join('');
}

class Reference {
    constructor(document) {
        this.document = document;
        this.schemas = document.components.schemas;
        this.operations = Object.entries(document.paths).flatMap(([path, item]) => METHODS.filter(method => item[method])
            .map(method => ({...item[method], path, method})));
    }

    /** What a $ref stands for; anything else is itself. */
    resolve(node) {
        if (!node?.$ref)
            return node;
        return node.$ref.slice(2).split('/').reduce((at, key) => at[key], this.document);
    }

    // ---- schemas -----------------------------------------------------------------------------------------

    type(schema) {
        if (!schema || schema === true)
            return 'anything';
        if (schema.$ref) {
            const name = schema.$ref.split('/').pop();
            return `<a href="#schema-${name}">${name}</a>`;
        }
        for (const key of ['anyOf', 'oneOf', 'allOf']) {
            if (schema[key])
                return schema[key].map(part => this.type(part)).join(key === 'allOf' ? ' and ' : ' or ');
        }
        if (schema.const !== undefined)
            return code(JSON.stringify(schema.const));
        if (schema.enum)
            return schema.enum.map(value => code(value === null ? 'null' : value)).join(' | ');
        if (schema.type === 'array')
            return `list of ${this.type(schema.items)}`;
        return this.simple(schema);
    }

    simple(schema) {
        const types = [schema.type].flat().filter(Boolean);
        const name = types.filter(type => type !== 'null').join(' or ') || 'object';
        const range = [schema.minimum !== undefined ? `from ${schema.minimum}` : '', schema.maximum !== undefined ? `to ${schema.maximum}` : '',
            schema.maxLength !== undefined ? `at most ${schema.maxLength} long` : ''].filter(Boolean).join(' ');
        const word = schema.type === 'object' && schema.additionalProperties?.type ? `object of ${schema.additionalProperties.type}s` : name;
        return `${escape(word)}${range ? ` ${range}` : ''}${types.includes('null') ? ' or null' : ''}`;
    }

    members(schema) {
        const own = this.resolve(schema) ?? {};
        const parts = (own.allOf ?? []).map(part => this.members(part)).join('');
        const required = new Set(own.required ?? []);
        return parts + Object.entries(own.properties ?? {}).map(([name, member]) => `<tr><th scope="row">${code(name)}${required.has(name) ? '' : ' <small>optional</small>'}</th>
            <td>${this.type(member)}${member.default !== undefined ? `, else ${code(JSON.stringify(member.default))}` : ''}${member.description ? `<div class="more">${prose(member.description)}</div>` : ''}</td></tr>`).join('');
    }

    table(rows, head) {
        return rows ? `<div class="wide" tabindex="0" role="group" aria-label="${head[0]}"><table><thead><tr><th scope="col">${head[0]}</th><th scope="col">${head[1]}</th></tr></thead><tbody>${rows}</tbody></table></div>` : '';
    }

    renderSchema([name, schema]) {
        const rows = this.members(schema);
        return `<article class="schema" id="schema-${name}" data-search="${escape(name.toLowerCase())}">
            <h3>${name}</h3>${prose(schema.description)}
            ${rows ? this.table(rows, ['Member', 'Value']) : `<p>${this.type({...schema, description: undefined})}</p>`}</article>`;
    }

    // ---- operations --------------------------------------------------------------------------------------

    renderParameters(operation) {
        const rows = (operation.parameters ?? []).map(item => this.resolve(item)).map(parameter => `<tr>
            <th scope="row">${code(parameter.name)} <small>${parameter.in}${parameter.required ? '' : ', optional'}</small></th>
            <td>${this.type(parameter.schema)}${parameter.description ? `<div class="more">${prose(parameter.description)}</div>` : ''}</td></tr>`).join('');
        return rows ? `<h4>Parameters</h4>${this.table(rows, ['Parameter', 'Value'])}` : '';
    }

    renderExamples(media, type) {
        const examples = media.examples ? Object.values(media.examples).map(item => this.resolve(item)) : media.example !== undefined ? [{value: media.example}] : [];
        return examples.map(example => `<details class="example"><summary>${escape(example.summary ?? 'Example')} <small>${type}</small></summary>
            <pre class="code" tabindex="0">${escape(typeof example.value === 'string' ? example.value : JSON.stringify(example.value, null, 2))}</pre></details>`).join('');
    }

    renderContent(content = {}) {
        const media = Object.entries(content);
        const list = media.map(([type, item]) => `<li>${code(type)} ${item.schema ? `<span class="type">${this.type(item.schema)}</span>` : ''}</li>`).join('');
        return `${list ? `<ul class="media">${list}</ul>` : ''}${media.map(([type, item]) => this.renderExamples(item, type)).join('')}`;
    }

    renderBody(operation) {
        const body = this.resolve(operation.requestBody);
        return body ? `<h4>Body${body.required ? '' : ' <small>optional</small>'}</h4>${prose(body.description)}${this.renderContent(body.content)}` : '';
    }

    renderResponses(operation) {
        const shown = Object.entries(operation.responses).filter(([status]) => status !== 'default');
        const good = shown.filter(([status]) => status < 400).map(([status, item]) => {
            const response = this.resolve(item);
            return `<div class="answer"><p><b class="status">${status}</b> ${inline(response.description?.trim().replace(/\s+/g, ' ') ?? '')}</p>${this.renderContent(response.content)}</div>`;
        }).join('');
        const bad = shown.filter(([status]) => status >= 400);
        const problems = bad.map(([status]) => `<b class="status">${status}</b>`).join(' ');
        const examples = bad.map(([, item]) => this.renderProblemExamples(item)).join('');
        return `<h4>Answers</h4>${good}${problems ? `<p class="problems">Refusals: ${problems} as <a href="#schema-Problem">Problem</a></p>${examples}` : ''}`;
    }

    // What is written at the operation itself; a shared response has no example of its own.
    renderProblemExamples(item) {
        return item.$ref ? '' : Object.entries(item.content ?? {}).map(([type, media]) => this.renderExamples(media, type)).join('');
    }

    curl({method, path, requestBody}) {
        const target = path.replace('{id}', '$G').replace('{ply}', '1').replace('{n}', '518').replace('{slug}', 'illegal-move')
            .replace('{color}', 'white').replace(/\{\w+\}/g, '…');
        const verb = {get: '', post: requestBody ? '' : '-X POST ', put: '-X PUT ', patch: '-X PATCH ', delete: '-X DELETE '}[method];
        return `curl ${verb}${requestBody && method === 'post' ? '-X POST ' : ''}localhost:8080${target}`;
    }

    renderOperation(operation) {
        const words = [operation.operationId, operation.path, operation.method, operation.summary, operation.description ?? ''].join(' ').toLowerCase();
        return `<article class="operation" id="${operation.operationId}" data-search="${escape(words)}">
            <h3><a href="#${operation.operationId}">${escape(operation.summary ?? operation.operationId)}</a></h3>
            <p class="line"><span class="method ${operation.method}">${operation.method.toUpperCase()}</span> <code>${escape(operation.path).replace(/\//g, '/<wbr>')}</code></p>
            ${prose(operation.description)}
            <pre class="code" tabindex="0" aria-label="curl line">${escape(this.curl(operation))}</pre>
            ${this.renderParameters(operation)}${this.renderBody(operation)}${this.renderResponses(operation)}</article>`;
    }

    renderTag(tag) {
        const own = this.operations.filter(operation => operation.tags?.includes(tag.name));
        return `<section class="group" id="tag-${tag.name}" aria-labelledby="title-${tag.name}"><h2 id="title-${tag.name}">${title(tag.name)}</h2>
            <p class="lead">${inline(tag.description ?? '')}</p>${own.map(operation => this.renderOperation(operation)).join('')}</section>`;
    }

    renderNav() {
        return this.document.tags.map(tag => `<li><a href="#tag-${tag.name}">${title(tag.name)}</a><ul>${this.operations
            .filter(operation => operation.tags?.includes(tag.name))
            .map(operation => `<li><a href="#${operation.operationId}" data-for="${operation.operationId}"><span class="method ${operation.method}">${operation.method.toUpperCase()}</span> ${escape(operation.summary)}</a></li>`).join('')}</ul></li>`).join('');
    }
}

const TITLES = {pgn: 'PGN'};
const title = name => TITLES[name] ?? name[0].toUpperCase() + name.slice(1);

/** The cookbook: "== Title", paragraphs, and lines to type that begin with two blanks. */
function renderCookbook(text) {
    const blocks = text.trim().split(/\n\s*\n/).slice(1);
    return blocks.map(block => {
        if (block.startsWith('== '))
            return `<h3>${inline(block.slice(3))}</h3>`;
        const lines = block.split('\n');
        const said = lines.filter(line => !line.startsWith('  ')).join(' ');
        const typed = lines.filter(line => line.startsWith('  ')).map(line => line.slice(2)).join('\n');
        return `${said ? `<p>${inline(said)}</p>` : ''}${typed ? `<pre class="code" tabindex="0">${escape(typed)}</pre>` : ''}`;
    }).join('');
}

function renderNotices(notices) {
    return notices.map(notice => `<details class="notice-text"><summary>${escape(notice.name)}: ${escape(notice.use)}</summary><pre class="code" tabindex="0">${escape(notice.text)}</pre></details>`).join('');
}

/** The parts of docs.html. */
export function renderDocs(document, cookbook, notices) {
    const reference = new Reference(document);
    return {
        version: document.info.version,
        intro: prose(document.info.description),
        nav: reference.renderNav(),
        operations: document.tags.map(tag => reference.renderTag(tag)).join(''),
        schemas: Object.entries(reference.schemas).map(entry => reference.renderSchema(entry)).join(''),
        cookbook: renderCookbook(cookbook),
        notices: renderNotices(notices),
    };
}
