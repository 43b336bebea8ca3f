/* What all parts of the page share. Its script is these files one after another, in a function of their own (embed.py). */

/* A profile; or what changed, with the profiles of both runs, null where only counts are known; or results of a sweep or
 * commits. */
const given = JSON.parse(document.getElementById("data").textContent);
const NOTHING = {setup: {settings: []}, events: [], metrics: [], cycles: {event: -1, stalls: []}, caches: [], whatif: [], intervals: [], nodes: [],
    self: [], functions: [], frames: [], objects: [], files: []};
const data = given.setup ? given : given.after || NOTHING;
const before = given.before || null, changes = given.changes || null, series = given.sweep || given.trend || null;

const byId = id => document.getElementById(id);
const NUMBERS = new Intl.NumberFormat("en-US"), big = n => NUMBERS.format(n);

function element(tag, text, name) {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    if (name) e.className = name;
    return e;
}

function drawn(tag, attributes, text) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const name in attributes) e.setAttribute(name, attributes[name]);
    if (text !== undefined) e.textContent = text;
    return e;
}

/* [event, count, event, count, ...] by event, which at() says. */
function unpack(pairs, at = event => event) {
    const counts = [];
    for (let i = 0; i < pairs.length; i += 2) counts[at(pairs[i])] = pairs[i + 1];
    return counts;
}

/* A name of C++ or Rust that fits, as far as it can be shortened: what is in brackets goes from the innermost out, then the first
 * namespaces. */
function shortName(name, letters) {
    const SIGNS = "<>()", hide = text => text.replace(/[<>()]/g, c => String.fromCharCode(0xe000 + SIGNS.indexOf(c)));
    let left = name.replace(/operator(\(\)|[-<>=]+)|->|\(anonymous namespace\)/g, hide);
    for (let last = ""; left.length > letters && left !== last;) {
        last = left;
        left = left.replace(/<(?:[^<>()]|<>|\(\))+>|\((?:[^<>()]|<>|\(\))+\)/g, inside => inside[0] + inside[inside.length - 1]);
    }
    if (left.length > letters) {
        const places = [...left.matchAll(/::/g)].map(m => m.index), fits = places.find(i => left.length - i + 1 <= letters);
        if (fits !== undefined) left = "\u2026" + left.slice(fits);
        else if (places.length > 0) left = left.slice(places.pop() + 2);
    }
    return (left.length > letters ? left.slice(0, letters - 1) + "\u2026" : left).replace(/[\ue000-\ue003]/g, c => SIGNS[c.charCodeAt(0) - 0xe000]);
}

/* Its cell, in a column of so many pixels. */
function nameCell(cell, name, pixels) {
    cell.textContent = shortName(name, Math.max(12, Math.floor(pixels / LETTER)));
    if (cell.textContent !== name) cell.title = name;
}

function row(cells) {
    const tr = element("tr");
    for (const [text, name] of cells) tr.append(element("td", text, name));
    return tr;
}

/* Of what is hidden, or narrower than its parts, something that can be drawn in. */
const widthOf = box => Math.max(box.clientWidth, 240);

/* ---- rows ---- */

const ROWS_WHOLE = 400, ROWS_BESIDE = 30;

/* Marks rows so that keys move between them; first: the place of the first among all, at: of the one that Tab comes to. */
function numberRows(rows, first, at = 0) {
    rows.forEach((tr, i) => {
        tr.dataset.row = first + i;
        tr.tabIndex = first + i === at ? 0 : -1;
    });
    return rows;
}

/* Of many rows those near what is in view, at an even height; body.show(i) brings one there. */
function showWindow(body, makers) {
    const box = body.closest(".wide"), table = body.closest("table");
    const every = Math.ceil(makers.length / ROWS_WHOLE), columns = element("colgroup");
    box.classList.add("scroll");
    table.classList.remove("even");
    if (table.querySelector("colgroup")) table.querySelector("colgroup").remove();
    /* Columns are as wide as some rows of all parts need them. */
    body.replaceChildren(...makers.filter((_, i) => i % every === 0 || i < ROWS_BESIDE).map(make => make()));
    const widest = [...body.rows].reduce((a, b) => b.cells.length > a.cells.length ? b : a);
    for (const cell of widest.cells) columns.append(element("col")), columns.lastChild.style.width = `${cell.getBoundingClientRect().width}px`;
    table.prepend(columns);
    table.classList.add("even");
    const height = body.rows[ROWS_BESIDE - 1].getBoundingClientRect().height || 22;
    const spacer = n => {
        const tr = element("tr");
        tr.style.height = `${n * height}px`;
        return tr;
    };
    let from = -1;
    const draw = () => {
        const first = Math.max(0, Math.min(makers.length - 1, Math.floor(box.scrollTop / height)) - ROWS_BESIDE);
        const end = Math.min(makers.length, first + Math.ceil(box.clientHeight / height) + 2 * ROWS_BESIDE);
        if (Math.abs(first - from) < ROWS_BESIDE / 2 && from >= 0) return;
        from = first;
        const focus = body.contains(document.activeElement) ? document.activeElement.dataset.row : null;
        body.replaceChildren(spacer(first), ...numberRows(makers.slice(first, end).map(make => make()), first, Math.min(makers.length - 1, Math.ceil(box.scrollTop / height))),
            spacer(makers.length - end));
        const again = focus !== null && body.querySelector(`tr[data-row="${focus}"]`);
        if (again) again.focus({preventScroll: true});
    };
    body.show = i => {
        const top = i * height;
        if (top < box.scrollTop + 2 * height) box.scrollTop = top - 2 * height;
        else if (top > box.scrollTop + box.clientHeight - 3 * height) box.scrollTop = top - box.clientHeight + 3 * height;
        draw();
    };
    box.onscroll = draw;
    draw();
}

/* Fills a table's body; makers: a function for each row; whole: how many may be in the document. */
function showRows(body, makers, whole = ROWS_WHOLE) {
    body.n = makers.length;
    body.show = null;
    if (makers.length > whole) showWindow(body, makers);
    else body.replaceChildren(...numberRows(makers.map(make => make()), 0));
}

/* Makes a row the one that Tab comes to. */
function moveTo(body, to, hasFocus) {
    if (body.show) body.show(to);
    const next = body.querySelector(`tr[data-row="${to}"]`), old = body.querySelector('tr[tabindex="0"]'), box = body.closest(".scroll");
    if (old) old.tabIndex = -1;
    if (!next) return;
    next.tabIndex = 0;
    if (hasFocus) next.focus({preventScroll: Boolean(body.show)});
    else if (box) box.scrollTop = next.offsetTop - box.clientHeight / 3;
}

/* Moves to another row by keys; returns whether the key is one of these. */
function moveInRows(tr, key) {
    const body = tr.parentNode, at = Number(tr.dataset.row), step = {ArrowUp: -1, ArrowDown: 1, PageUp: -15, PageDown: 15, Home: -Infinity, End: Infinity}[key];
    if (step === undefined) return false;
    moveTo(body, Math.min(body.n - 1, Math.max(0, at + step)), true);
    return true;
}

/* ---- keys ---- */

function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isTyping = event.target.matches("input, select"), tr = event.target.closest("tr[data-row]");
    if (event.key === "?" && !isTyping) byId("keys").showModal();
    else if (event.key === "/" && !isTyping && !byId("search").closest("[hidden]")) byId("search").focus();
    else if (tr && event.key === "Enter") (tr.enter || tr.click).call(tr);
    else if (!tr || !moveInRows(tr, event.key)) return;
    event.preventDefault();
}
