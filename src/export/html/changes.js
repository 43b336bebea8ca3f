/* What changed between two runs: versions, tables, and the flame graph of both runs as one. */

const LESS = "\u2212";

/* ---- both runs' call paths ---- */

/* Adds the paths of the run before to the tree: a path is the same where its functions have the same names. before.at has
 * the node of each of its paths. */
function joinBefore() {
    const known = new Map(), nObjects = data.objects.length, nFrames = data.frames.length;
    for (let i = 1; i < parents.length; i++) known.set(`${parents[i]} ${nameOf(i)}`, i);
    data.objects = data.objects.concat(before.objects);
    data.frames = data.frames.concat(before.frames.map(f => f && f.length > 1 ? [f[0], f[1] + nObjects] : f));
    before.at = [0];
    for (let i = 0; i < before.nodes.length; i += 2) {
        const parent = before.at[before.nodes[i]], frame = before.nodes[i + 1], key = `${parent} ${before.frames[frame][0]}`;
        if (!known.has(key)) {
            known.set(key, parents.length);
            addNode(parent, nFrames + frame);
        }
        before.at.push(known.get(key));
    }
}

/* ---- marks, which need no colours to be told apart ---- */

const signOf = n => n > 0 ? "+" : n < 0 ? LESS : "";
const change = n => signOf(n) + big(Math.abs(n));

/* More is red, less is blue and hatched; the stronger, the more of the run changed. */
function changeColour(share) {
    const strength = Math.min(1, Math.sqrt(Math.abs(share)) * 1.6);
    return share === 0 ? "hsl(40 8% 82%)" : `hsl(${share > 0 ? 10 : 212} 88% ${(92 - 30 * strength).toFixed(1)}%)`;
}

function lessPattern() {
    const pattern = drawn("pattern", {id: "less", width: 7, height: 7, patternUnits: "userSpaceOnUse"}), defs = drawn("defs", {});
    pattern.append(drawn("path", {d: "M0 7L7 0", stroke: "#1c4e8a", "stroke-width": 1, opacity: 0.55}));
    defs.append(pattern);
    return defs;
}

/* ---- tables ---- */

const number = (n, kind) => kind === "metric" ? n.toFixed(3) : big(n);

function percentOf(c) {
    if (c.state) return c.state;
    return c.percent === undefined ? "from 0" : `${signOf(c.percent)}${Math.abs(c.percent).toFixed(2)} %`;
}

/* Before, after, change, percent, then the name. */
function changeRow(c, name, className) {
    const by = c.after - c.before;
    const tr = row([[number(c.before, c.kind), "n"], [number(c.after, c.kind), "n"],
        [signOf(by) + number(Math.abs(by), c.kind), "n"], [percentOf(c), "n"], [name, className]]);
    tr.classList.add(by > 0 ? "rose" : "fell");
    return tr;
}

/* Source text of "file.c:12", of the run after or the one before. */
function textOf(name) {
    const at = name.lastIndexOf(":"), base = name.slice(0, at), line = Number(name.slice(at + 1));
    for (const files of [data.files, before ? before.files : []]) {
        const file = files.find(f => f.path.split("/").pop() === base && f.text.some(([n]) => n === line));
        if (file) return file.text.find(([n]) => n === line)[1];
    }
    return "";
}

/* Rows of the chosen event, what rose first. */
function codeChanges(kind) {
    const name = data.events.length > 0 ? data.events[state.event].name : "";
    return changes.changes.filter(c => c.kind === kind && c.event === name && c.after !== c.before)
        .sort((a, b) => (b.after - b.before) - (a.after - a.before));
}

function headRow(text, columns) {
    const tr = row([[text]]);
    tr.cells[0].colSpan = columns;
    tr.className = "head";
    return tr;
}

/* Fills a table with what rose, then what fell most. */
function fillChanges(id, kind, make) {
    const all = codeChanges(kind), rose = all.filter(c => c.after > c.before), fell = all.filter(c => c.after < c.before).reverse();
    const rows = [];
    for (const [text, list] of [[`Rose: ${rose.length}`, rose], [`Fell: ${fell.length}`, fell]])
        if (list.length > 0) rows.push(() => headRow(text, 6), ...list.map(c => () => make(c)));
    byId(id).hidden = all.length === 0;
    showRows(document.querySelector(`#${id} tbody`), rows);
}

function drawChangedCode() {
    if (!changes) return;
    fillChanges("lines", "line", c => {
        const tr = changeRow(c, c.name, "code");
        tr.append(element("td", textOf(c.name).trim(), "code"));
        tr.addEventListener("click", () => openLine(c.name));
        return tr;
    });
    fillChanges("changed", "function", c => {
        const tr = changeRow(c, c.name, "code"), wide = widthOf(byId("changed"));
        nameCell(tr.cells[4], c.name, wide < NARROW ? 0.4 * wide : 0.6 * wide);
        tr.addEventListener("click", () => search(c.name));
        return tr;
    });
    for (const id of ["lines", "changed"]) document.querySelector(`#${id} small`).textContent = data.events.length > 0 ? data.events[state.event].name : "";
}

/* ---- what the runs are ---- */

const RUNS = [["command", "Program"], ["machine", "Machine"], ["core", "Core"], ["clock_mhz", "Clock in MHz"], ["seed", "Seed"], ["armpmu", "armpmu"]];

/* What may be the cause of all changes comes first. */
function listCauses() {
    const list = byId("causes"), item = (what, was, is) => list.append(element("li", `${what}: ${was} \u2192 ${is}`));
    changes.changes.filter(c => c.kind === "version").forEach(c => item(`Another ${c.name}`, c.was, c.is));
    changes.changes.filter(c => c.kind === "failure").forEach(c => list.append(element("li", `${c.name} rose by ${percentOf(c)}, above its limit of ${c.limit} %`)));
    for (const [key, what] of RUNS)
        if (before && data.setup[key] !== undefined && before.setup[key] !== data.setup[key]) item(what, before.setup[key], data.setup[key]);
}

function showChanges() {
    if (!changes) return;
    document.title = `armpmu diff: ${changes.before} \u2192 ${changes.after}`;
    document.querySelector("h1").textContent = "armpmu diff";
    byId("command").textContent = `${changes.before} \u2192 ${changes.after}`;
    listCauses();
    for (const kind of ["event", "metric"]) {
        const rows = changes.changes.filter(c => c.kind === kind && c.after !== c.before);
        const body = document.querySelector(`#${kind}s-changed tbody`);
        showRows(body, rows.map(c => () => {
            const tr = changeRow(c, kind === "metric" ? `${c.name} (${c.unit})` : c.name, "name"), i = data.events.findIndex(e => e.name === c.name);
            if (kind === "event" && i >= 0) tr.addEventListener("click", () => choose(i));
            return tr;
        }));
        body.closest(".wide").hidden = rows.length === 0;
    }
    byId("changes").hidden = false;
    byId("events").hidden = true;
    document.querySelector("#calls .hint").firstChild.textContent = "Both runs in one graph. Red and +: more than before; blue, hatched and \u2212: less. ";
    byId("widths").hidden = !before;
    byId("width").addEventListener("change", drawFlame);
}
