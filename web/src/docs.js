// Finding an operation: what does not have all the words is hidden.

const search = document.querySelector('#search');
const found = document.querySelector('#found');
const operations = [...document.querySelectorAll('.operation')];
const groups = [...document.querySelectorAll('#operations .group')];
const entries = new Map([...document.querySelectorAll('#contents [data-for]')].map(link => [link.dataset.for, link.parentElement]));

function find() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const operation of operations) {
        const fits = words.every(word => operation.dataset.search.includes(word));
        operation.hidden = !fits;
        entries.get(operation.id).hidden = !fits;
        count += fits;
    }
    for (const group of groups)
        group.hidden = !group.querySelector('.operation:not([hidden])');
    for (const item of document.querySelectorAll('#contents > li:not(.always)'))
        item.hidden = !item.querySelector('li:not([hidden])');
    for (const part of document.querySelectorAll('.cookbook, .intro, #schemas, .notices'))
        part.hidden = words.length > 0;
    found.textContent = words.length ? `${count} ${count === 1 ? 'operation' : 'operations'}` : '';
}

// A link to a part that the search hides shows everything again.
function reveal() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && !target.checkVisibility?.()) {
        search.value = '';
        find();
        target.scrollIntoView();
    }
}

search.addEventListener('input', find);
addEventListener('hashchange', reveal);
find();
