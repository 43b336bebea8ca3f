/* Draws a profile. The address keeps what is chosen: #event=NAME&search=TEXT. */

const ROW = 18, LETTER = 7.3, NARROW = 760, LEVELS = 160, CALLERS = 15, FUNCTIONS = 25;

/* ---- state ---- */

const state = {event: 0, search: "", zoom: 0, allFunctions: false, line: ""};

const percent = (n, of) => of > 0 ? (100 * n / of).toFixed(2) : "0.00";
const total = () => data.events.length > 0 ? data.events[state.event].total : 0;

/* ---- call tree ---- */

const parents = [0], frames = [-1], children = [[]];

function addNode(parent, frame) {
    children[parent].push(parents.length);
    parents.push(parent);
    frames.push(frame);
    children.push([]);
}

const trees = []; /* of each event, once it was chosen */

/* Counts of nodes themselves and with calls; pairs: [node, count, ...], at: of each node its place. */
function countsOf(pairs, at) {
    const self = new Float64Array(parents.length);
    for (let i = 0; i < pairs.length; i += 2) self[at ? at[pairs[i]] : pairs[i]] += pairs[i + 1];
    const inclusive = self.slice();
    for (let i = parents.length - 1; i > 0; i--) inclusive[parents[i]] += inclusive[i];
    return {self, inclusive};
}

/* Also of the run before, as `was`; null where there is none. */
function tree() {
    if (!trees[state.event])
        trees[state.event] = {...countsOf(data.self[state.event] || []),
            was: before ? countsOf(before.self[state.event] || [], before.at) : null};
    return trees[state.event];
}

const nameOf = node => node === 0 ? "all" : data.frames[frames[node]][0];
const objectIn = frame => data.objects[data.frames[frame][1]] || "";
const objectOf = node => node === 0 ? "" : objectIn(frames[node]);
const isHit = name => state.search !== "" && name.toLowerCase().includes(state.search.toLowerCase());

/* A colour for each name, the same in every report. */
function colour(name) {
    let hash = 2166136261;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619) >>> 0;
    return `hsl(${14 + hash % 38} ${70 + (hash >>> 8) % 22}% var(--flame-lightness))`;
}

/* ---- header ---- */

/* "L1D 32K/4/64", of a machine file's keys: size, ways, bytes of a line; and entries of TLBs. */
function geometry(settings) {
    const of = new Map(settings.map(line => line.split(" = ")));
    const parts = [];
    for (const [key, value] of of) {
        const [unit, what] = key.split(".");
        if (what === "size_kb" && of.has(unit + ".ways"))
            parts.push(`${unit.toUpperCase()} ${[value + "K", of.get(unit + ".ways"), of.get(unit + ".line_bytes")].filter(Boolean).join("/")}`);
        else if (what === "entries" && unit.includes("tlb"))
            parts.push(`${unit.toUpperCase()} ${value}`);
    }
    return parts.join(", ");
}

function showSetup() {
    const s = data.setup;
    document.title = `armpmu: ${s.command || "report"}`;
    byId("command").textContent = s.command || "(command not known)";
    const facts = [
        ["Machine", s.machine], ["Core", s.core], ["Geometry", geometry(s.settings)], ["Clock", s.clock_mhz > 0 ? `${s.clock_mhz} MHz` : null],
        ["Engine", s.engine], ["Seed", String(s.seed)], ["Exit status", String(s.exit_status)],
        ["Hash of settings", s.hash ? s.hash.slice(0, 16) : null], ["armpmu", s.armpmu],
        ["Run", s.complete ? "complete" : "not complete: it was ended before all was counted"],
    ];
    for (const [what, value] of facts) {
        if (!value) continue;
        const div = element("div");
        div.append(element("dt", what), element("dd", value));
        byId("setup").append(div);
    }
    byId("settings").textContent = s.settings.join("\n");
    byId("machine").hidden = s.settings.length < 2;
}

function showEvents() {
    const rows = data.events.map((event, i) => {
        const metrics = data.metrics.filter(m => m.event === i);
        const tr = row([[big(event.total), "n"], [event.name, "name"], ["", "metric"],
            [event.fidelity || "", "fidelity"], [event.meaning || ""]]);
        for (const m of metrics) {
            const div = element("div", `${m.value.toFixed(2)} ${m.unit}`);
            div.title = m.meaning;
            tr.cells[2].append(div);
        }
        tr.addEventListener("click", () => choose(i));
        const option = new Option(event.name, String(i));
        option.disabled = event.total === 0;
        byId("event").append(option);
        return () => tr;
    });
    showRows(document.querySelector("#events tbody"), rows);
}

/* ---- flame graph ---- */

function flameBox(node, x, width, y, isAbove) {
    const g = drawn("g", {"data-node": node, tabindex: node === state.zoom ? 0 : -1});
    const name = nameOf(node), letters = Math.floor((width - 6) / LETTER);
    if (node === 0) g.classList.add("all");
    if (isAbove) g.classList.add("above");
    if (node !== 0 && isHit(name)) g.classList.add("hit");
    const rect = drawn("rect", {x, y, width, height: ROW - 1, rx: 1}), {inclusive, was} = tree();
    const by = was ? inclusive[node] - was.inclusive[node] : 0, of = was ? Math.max(inclusive[0], was.inclusive[0]) || 1 : 1;
    rect.style.fill = was ? changeColour(by / of) : node === 0 ? "var(--line)" : colour(name);
    g.append(rect);
    if (by < 0) g.append(drawn("rect", {x, y, width, height: ROW - 1, class: "less"}));
    const sign = by !== 0 ? signOf(by) + " " : "";
    if (letters >= 2)
        g.append(drawn("text", {x: x + 3, y: y + ROW - 6}, sign + shortName(name, letters - sign.length)));
    return g;
}

/* Outermost first; of very many the nearest, after the outermost. */
function callersOf(node) {
    const callers = [];
    while (node !== 0) callers.push(node = parents[node]);
    return (callers.length > CALLERS ? [...callers.slice(0, CALLERS), 0] : callers).reverse();
}

function drawFlame() {
    const box = byId("flame"), width = widthOf(box), {was} = tree();
    const {inclusive} = was && byId("width").value === "before" ? was : tree();
    const svg = drawn("svg", {});
    if (was) svg.append(lessPattern());
    let bottom = 0;
    const above = callersOf(state.zoom);
    above.forEach((node, i) => svg.append(flameBox(node, 0, width, i * ROW, true)));
    const open = [[state.zoom, 0, width, above.length]];
    while (open.length > 0) {
        const [node, x, w, level] = open.pop();
        svg.append(flameBox(node, x, w, level * ROW, false));
        bottom = Math.max(bottom, level + 1);
        if (level >= above.length + LEVELS || inclusive[node] === 0) continue;
        let at = x;
        const order = children[node].slice().sort((a, b) => inclusive[b] - inclusive[a] || a - b);
        for (const child of order) {
            const wide = w * inclusive[child] / inclusive[node];
            if (wide < 0.4) break;
            open.push([child, at, wide, level + 1]);
            at += wide;
        }
    }
    svg.setAttribute("height", bottom * ROW);
    svg.setAttribute("viewBox", `0 0 ${width} ${bottom * ROW}`);
    box.replaceChildren(svg);
    byId("whole").hidden = state.zoom === 0;
}

function describe(node) {
    const {self, inclusive, was} = tree(), of = total(), object = objectOf(node);
    const by = was ? `; before ${big(was.inclusive[node])} and ${big(was.self[node])}, ` +
        `${change(inclusive[node] - was.inclusive[node])} and ${change(self[node] - was.self[node])}` : "";
    return `${nameOf(node)}   ${big(inclusive[node])} with calls (${percent(inclusive[node], of)} %), ` +
        `${big(self[node])} itself (${percent(self[node], of)} %)${by}${object ? "   " + object : ""}`;
}

/* Moves in the flame graph: to the caller, what is called most, or beside. */
function moveInFlame(g, key) {
    const node = Number(g.dataset.node), shown = n => document.querySelector(`#flame g[data-node="${n}"]`);
    const byWidth = n => children[n].filter(shown).sort((a, b) => tree().inclusive[b] - tree().inclusive[a] || a - b), beside = byWidth(parents[node]);
    const to = {ArrowUp: parents[node], ArrowDown: byWidth(node)[0], ArrowLeft: beside[beside.indexOf(node) - 1], ArrowRight: beside[beside.indexOf(node) + 1]}[key];
    if (to === undefined || !shown(to)) return false;
    g.tabIndex = -1;
    shown(to).tabIndex = 0;
    shown(to).focus();
    return true;
}

function zoomTo(node) {
    state.zoom = node;
    drawFlame();
    const g = document.querySelector(`#flame g[data-node="${node}"]`);
    if (g) g.focus({preventScroll: true});
}

function nodeAt(target) {
    const g = target.closest ? target.closest("g[data-node]") : null;
    return g ? Number(g.dataset.node) : null;
}

/* The share of all stacks with a function that matches. */
function showFound() {
    const {inclusive} = tree(), inside = new Uint8Array(parents.length);
    let sum = 0;
    for (let i = 1; i < parents.length; i++) {
        if (inside[parents[i]]) {
            inside[i] = 1;
        } else if (isHit(nameOf(i))) {
            inside[i] = 1;
            sum += inclusive[i];
        }
    }
    byId("found").textContent = state.search === "" ? "" : `${percent(sum, total())} % of ${data.events[state.event].name}`;
}

/* ---- functions ---- */

function drawFunctions() {
    const e = state.event, body = document.querySelector("#functions tbody");
    const order = data.functions.filter(f => f.inclusive[e] > 0)
        .sort((a, b) => b.self[e] - a.self[e] || b.inclusive[e] - a.inclusive[e] || a.frame - b.frame);
    const wide = widthOf(byId("functions")), room = wide < NARROW ? 0.4 * wide : wide - 400;
    const shown = state.allFunctions ? order : order.filter((f, i) => i < FUNCTIONS || isHit(data.frames[f.frame][0]));
    showRows(body, shown.map(f => () => {
        const [name] = data.frames[f.frame];
        const tr = row([[big(f.self[e]), "n"], [percent(f.self[e], total()), "n"], [big(f.inclusive[e]), "n"],
            [percent(f.inclusive[e], total()), "n"], [name, isHit(name) ? "code found" : "code"],
            [objectIn(f.frame).split("/").pop(), "object"]]);
        nameCell(tr.cells[4], name, room);
        tr.cells[5].title = objectIn(f.frame);
        heat(tr.cells[1], f.self[e]);
        tr.addEventListener("click", () => openFunction(name));
        return tr;
    }));
    byId("more").hidden = shown.length === order.length;
}

function heat(cell, n, of = total()) {
    const share = of > 0 ? n / of : 0;
    if (share >= 0.001) cell.style.backgroundColor = `rgba(var(--heat), ${(0.08 + 0.72 * Math.sqrt(share)).toFixed(3)})`;
}

/* ---- what changes would save ---- */

const signed = n => `${n > 0 ? "+" : ""}${n.toFixed(1)}`.replace(/^-0\.0$/, "0.0");

function drawWhatif() {
    byId("whatif").hidden = data.whatif.length === 0;
    showRows(document.querySelector("#whatif tbody"), data.whatif.map(w => () => {
        const tr = row([[signed(w.percent), "n"], ["", "bar"], [w.text, "why"]]);
        const bar = element("div");
        bar.style.width = `${Math.min(100, Math.max(0, -w.percent))}%`;
        tr.cells[1].append(bar);
        if (w.place) tr.addEventListener("click", () => openHottest(l => placeOfLine(l) === w.place) || openFunction(w.place));
        return tr;
    }));
}

/* Rows below a line of source: what changes of it would save. */
function whatifRows(path, number) {
    const place = `${path.split("/").pop()}:${number}`;
    return data.whatif.filter(w => w.place === place).map(w => {
        const tr = row([["", "n"], [signed(w.percent), "n"], ["", "n at"], [`\u2191 if ${w.text}: ${signed(w.percent)} % of all cycles`, "why"]]);
        tr.className = "note";
        return tr;
    });
}

/* ---- source ---- */

function sourceRows(file) {
    const counts = new Map(file.counts), rows = [];
    const lines = file.text.length > 0 ? file.text : file.counts.map(([number]) => [number, ""]);
    let last = 0;
    for (const [number, text] of lines) {
        const n = counts.has(number) && counts.get(number)[state.event] || 0;
        if (last !== 0 && number !== last + 1) {
            const gap = row([["", ""]]);
            gap.className = "gap";
            rows.push(gap);
        }
        const tr = row([[n > 0 ? big(n) : "", "n"], [n > 0 ? percent(n, total()) : "", "n"], [String(number), "n at"],
            [text, "code"]]);
        if (n > 0) heat(tr.cells[1], n);
        tr.dataset.line = number;
        tr.addEventListener("click", () => openHottest(l => l.file === file.path && l.line === number));
        rows.push(tr, ...whatifRows(file.path, number));
        last = number;
    }
    return rows;
}

function drawFile(details, file) {
    const table = element("table", undefined, "source"), rows = sourceRows(file), box = element("div", undefined, "wide");
    table.append(element("tbody"));
    box.append(table);
    details.append(box);
    details.find = line => rows.findIndex(tr => tr.dataset.line === line);
    showRows(table.tBodies[0], rows.map(tr => () => tr));
}

/* Opens the file of a line, "list.c:12" or with its whole path, and goes to it. */
function openLine(name) {
    const at = name.lastIndexOf(":"), file = name.slice(0, at), line = name.slice(at + 1);
    for (const details of document.querySelectorAll("#files details")) {
        if (details.dataset.path !== file && baseOf(details.dataset.path) !== file) continue;
        details.open = true;
        details.fill();
        const place = details.find(line);
        if (place < 0) continue;
        moveTo(details.querySelector("tbody"), place, true);
        document.activeElement.scrollIntoView({block: "center"});
        return;
    }
}

function drawSource() {
    const open = new Set([...document.querySelectorAll("#files details[open]")].map(d => d.dataset.path));
    const files = data.files.map(file => [file, file.sums[state.event] || 0])
        .filter(([, n]) => n > 0).sort((a, b) => a[0].library - b[0].library || b[1] - a[1]);
    byId("files").replaceChildren(...files.map(([file, n], i) => {
        const details = element("details");
        details.dataset.path = file.path;
        details.append(element("summary", `${file.path}   ${percent(n, total())} %` +
            (file.text.length > 0 ? "" : "   (no text: not on disk when the report was made)")));
        const fill = details.fill = () => details.childElementCount > 1 || drawFile(details, file);
        details.addEventListener("toggle", fill);
        details.open = i === 0 || open.has(file.path);
        return details;
    }));
    document.querySelectorAll("#files details[open]").forEach(d => d.fill()); /* in the page, where columns have a width */
    byId("source").hidden = data.files.length === 0;
}

/* ---- over time ---- */

/* Unit and microseconds in it, as suits a time. */
function unitOf(microseconds) {
    return [["s", 1e6], ["ms", 1e3], ["\u00b5s", 1]].find(u => microseconds >= 2 * u[1]) || ["\u00b5s", 1];
}

const microseconds = cycles => cycles / (data.setup.clock_mhz > 0 ? data.setup.clock_mhz : 1);

/* Simulated time, in the unit that suits the whole run. */
function time(cycles, digits, last) {
    const [unit, scale] = unitOf(microseconds(last));
    return `${+(microseconds(cycles) / scale).toPrecision(digits)} ${unit}`;
}

function timeAxis(end, n = 6) {
    const [unit, scale] = unitOf(microseconds(end)), last = microseconds(end) / scale;
    return {name: `simulated time in ${unit}`,
        ticks: ticks(0, last, n).filter(t => t <= last * 1.001).map(t => [t / last, String(t)])};
}

/* An event for each so many of another, by interval. */
const ratesOf = (event, of, factor) => data.intervals.map(i => i.counts[of] > 0 ? factor * i.counts[event] / i.counts[of] : null);

/* Shares of the cycles by cause; the least ones are one. */
function shareSeries() {
    const {event, stalls, rest} = data.cycles;
    const all = stalls.filter(s => !s.beside && s.of < 0 && data.events[s.event].total > 0)
        .sort((a, b) => data.events[b.event].total - data.events[a.event].total)
        .map(s => ({name: s.label, values: ratesOf(s.event, event, 100).map(v => v || 0)}));
    const sum = (list, i) => list.reduce((n, s) => n + s.values[i], 0), places = data.intervals.map((_, i) => i);
    if (all.length === 0 || places.some(i => sum(all, i) > 100.5)) return [];
    const least = all.splice(SERIES - (all.length > SERIES - 1 ? 2 : 1));
    if (least.length > 0) all.push({name: "Other causes", values: places.map(i => sum(least, i))});
    const left = places.map(i => Math.max(0, 100 - sum(all, i)));
    return left.some(n => n >= 0.5) ? [...all, {name: rest, values: left}] : all;
}

/* What is drawn over time: title, unit and series. */
function timePanels() {
    const ipc = data.metrics.find(m => m.name === "ipc"), cycles = data.cycles.event, event = state.event, panels = [];
    const series = m => ({name: m.name, values: m.values});
    if (ipc) panels.push({title: "Instructions per cycle", unit: "", series: [series(ipc)]});
    const misses = data.metrics.filter(m => m.unit === "MPKI" && m.value > 0).sort((a, b) => b.value - a.value).slice(0, SERIES - 1);
    if (misses.length > 0) panels.push({title: "Misses", unit: "per 1000 instructions", series: misses.map(series)});
    const shares = shareSeries();
    if (shares.length > 0) panels.push({title: "Where cycles go", unit: "% of the interval's cycles", series: shares, stacked: true});
    const chosen = data.metrics[Number(byId("rate").value)], of = ipc && event !== ipc.event ? ipc.event : cycles;
    if (chosen) panels.push({title: chosen.name, unit: chosen.unit, series: [series(chosen)]});
    else if (of >= 0 && of !== event)
        panels.push({title: data.events[event].name, unit: `per 1000 ${of === cycles ? "cycles" : "instructions"}`,
            series: [{name: data.events[event].name, values: ratesOf(event, of, 1000)}]});
    return panels;
}

function drawTimeline() {
    byId("timeline").hidden = data.intervals.length === 0 || Boolean(changes);
    if (byId("timeline").hidden) return;
    const edges = [0, ...data.intervals.map(i => i.end)], end = edges[edges.length - 1], together = [], event = state.event;
    const say = i => byId("moment").textContent = `${time(edges[i], 6, end)} to ${time(edges[i + 1], 6, end)}   ` +
        `${big(data.intervals[i].counts[event])} ${data.events[event].name} in ${big(edges[i + 1] - edges[i])} cycles`;
    const x = {edges, axis: timeAxis(end, byId("plot").clientWidth < 600 ? 3 : 6)};
    byId("plot").replaceChildren(...timePanels().map(spec => chart({...spec, x}, widthOf(byId("plot")), together, say)));
}

function listRates() {
    data.metrics.forEach((m, i) => byId("rate").append(new Option(`${m.name} (${m.unit})`, String(i))));
    byId("rate").addEventListener("change", drawTimeline);
}

/* ---- where cycles go ---- */

function cycleRow(label, n, of, name, kind, event) {
    const tr = row([[big(n), "n"], [percent(n, of), "n"], ["", "bar"], [label, "why"], [name, "event"]]);
    const bar = element("div");
    bar.style.width = `${Math.min(100, 100 * n / of)}%`;
    tr.cells[2].append(bar);
    tr.className = kind;
    if (event !== undefined) tr.addEventListener("click", () => choose(event));
    return tr;
}

function showCycles() {
    const {event, stalls, rest} = data.cycles, of = event >= 0 ? data.events[event].total : 0;
    if (of === 0 || stalls.length === 0) return;
    const rows = [], count = s => data.events[s.event].total;
    const add = (s, kind) => rows.push(cycleRow(s.label, count(s), of, data.events[s.event].name, kind, s.event));
    const alone = stalls.filter(s => !s.beside && s.of < 0), beside = stalls.filter(s => s.beside);
    const known = alone.reduce((sum, s) => sum + count(s), 0);
    const head = text => rows.push(headRow(text, 5));
    rows.push(cycleRow("All cycles", of, of, data.events[event].name, "all", event));
    for (const s of alone.sort((a, b) => count(b) - count(a))) {
        add(s, "alone");
        stalls.filter(part => part.of === s.event).forEach(part => add(part, "part"));
    }
    if (known <= of) rows.push(cycleRow(rest, of - known, of, "not stalled, or not known", "rest"));
    else head("These add up to more than all cycles: some of them overlap.");
    if (beside.some(s => count(s) > 0)) {
        head("May be cycles of the lines above, too:");
        beside.filter(s => count(s) > 0).forEach(s => add(s, "beside"));
    }
    showRows(document.querySelector("#cycles tbody"), rows.map(tr => () => tr));
    byId("cycles").hidden = Boolean(changes);
}

/* ---- where a cache misses ---- */

const MAP_LOW = 22, MAP_ROW = 3, MAP_LABEL = 13, SET = 20;

/* Of the chosen cache: counts by region and column; of sets their misses, and those by region. */
function missesOf(cache) {
    if (cache.rows) return cache;
    cache.columns = 1;
    cache.rows = cache.regions.map(([, , cells]) => {
        const counts = [];
        let column = 0;
        for (const n of cells) {
            if (n < 0) column -= n;
            else counts[column++] = n;
        }
        cache.columns = Math.max(cache.columns, column);
        return counts;
    });
    cache.perSet = Array.from({length: cache.sets}, () => ({n: 0, regions: []}));
    for (let i = 0; i < cache.in_sets.length; i += 3) {
        const set = cache.perSet[cache.in_sets[i]];
        set.n += cache.in_sets[i + 2];
        set.regions.push([cache.in_sets[i + 1], cache.in_sets[i + 2]]);
    }
    return cache;
}

const address = (cache, i, last) => {
    const start = BigInt("0x" + cache.regions[i][0]);
    return "0x" + (last ? start + BigInt(cache.bytes) - 1n : start).toString(16);
};

/* What a file names there; else what it may be. */
const placeOf = (cache, i) => cache.regions[i][1] || (cache.physical ? "physical address" : "no symbol: a stack, mapped memory");

const heatColour = share => `rgba(${getComputedStyle(document.documentElement).getPropertyValue("--heat")}, ${share.toFixed(3)})`;

/* Counts of misses differ by powers of ten. */
const onLogScale = (n, most) => n > 0 ? 0.12 + 0.88 * (most > 1 ? Math.log(n) / Math.log(most) : 1) : 0;

/* One pixel for each region and column, the highest address at the top. */
function paintMisses(cache) {
    const canvas = element("canvas"), n = cache.rows.length;
    canvas.width = cache.columns;
    canvas.height = n;
    const most = cache.rows.reduce((m, counts) => counts.reduce((a, b) => Math.max(a, b), m), 1);
    const pen = canvas.getContext("2d");
    cache.rows.forEach((counts, i) => counts.forEach((count, column) => {
        pen.fillStyle = heatColour(onLogScale(count, most));
        pen.fillRect(column, n - 1 - i, 1, 1);
    }));
    return canvas;
}

const follows = (cache, i) => BigInt("0x" + cache.regions[i][0]) === BigInt("0x" + cache.regions[i - 1][0]) + BigInt(cache.bytes);

/* Regions of one name, one after another, and those without that are one piece: first and last. */
function placesOf(cache) {
    const places = [];
    cache.regions.forEach((region, i) => {
        const last = places[places.length - 1];
        if (last && cache.regions[last.end][1] === region[1] && (region[1] !== "" || follows(cache, i))) last.end = i;
        else places.push({start: i, end: i});
    });
    return places;
}

function drawMap(cache) {
    const box = byId("map"), width = widthOf(box), n = cache.rows.length;
    if (n === 0) {
        box.replaceChildren();
        return;
    }
    const left = width < 600 ? 104 : 190, letters = width < 600 ? 14 : 25;
    const high = Math.max(MAP_ROW * n, Math.min(60, 14 * n)), each = high / n, plot = width - left - 8;
    const canvas = paintMisses(cache), end = cache.columns * cache.cycles;
    Object.assign(canvas.style, {left: `${left}px`, top: "4px", width: `${plot}px`, height: `${high}px`});
    const svg = drawn("svg", {viewBox: `0 0 ${width} ${high + 4 + MAP_LOW}`, height: high + 4 + MAP_LOW});
    const y = i => 4 + high - each * i;
    let free = Infinity; /* above it a label stands already */
    for (const place of placesOf(cache)) {
        const middle = (y(place.start) + y(place.end + 1)) / 2 + 4;
        svg.append(drawn("line", {class: "cut", x1: left - 6, x2: left, y1: y(place.start), y2: y(place.start)}));
        if (middle > free - MAP_LABEL) continue;
        const text = cache.regions[place.start][1] || address(cache, place.start);
        svg.append(drawn("text", {class: "name", x: left - 9, y: middle, "text-anchor": "end"},
            text.length > letters ? text.slice(0, letters - 1) + "\u2026" : text));
        free = middle;
    }
    svg.append(drawn("rect", {class: "frame", x: left, y: 4, width: plot, height: high}));
    const axis = timeAxis(end, width < 600 ? 3 : 6);
    for (const [at, text] of axis.ticks)
        svg.append(drawn("text", {x: left + plot * at, y: high + 4 + MAP_LOW - 6, "text-anchor": at > 0.95 ? "end" : "middle"}, text));
    svg.append(drawn("text", {x: left - 9, y: high + 4 + MAP_LOW - 6, "text-anchor": "end"}, axis.name.replace("simulated ", "")));
    box.replaceChildren(canvas, svg);
    const at = drawn("rect", {class: "at", width: Math.max(2, plot / cache.columns), height: Math.max(2, each), x: -9, y: -9});
    svg.append(at);
    explore(svg, cache.columns, n, event => [Math.floor((event.offsetX - left) / plot * cache.columns), n - 1 - Math.floor((event.offsetY - 4) / each)], (column, i) => {
        at.setAttribute("x", left + plot * column / cache.columns);
        at.setAttribute("y", y(i + 1));
        byId("spot").textContent = `${address(cache, i)} to ${address(cache, i, true)}   ${placeOf(cache, i)}   ` +
            `${time(column * cache.cycles, 4, end)} to ${time((column + 1) * cache.cycles, 4, end)}: ` +
            `${big(cache.rows[i][column] || 0)} misses`;
    });
}

/* Shows what the pointer is at, or where arrow keys move to: a column and a row from below. placeOf: of the pointer. */
function explore(svg, columns, rows, placeOf, show) {
    let column = 0, i = rows - 1;
    const go = (x, y) => {
        if (x < 0 || x >= columns || y < 0 || y >= rows) return;
        [column, i] = [x, y];
        show(x, y);
    };
    svg.setAttribute("tabindex", 0);
    svg.addEventListener("mousemove", event => go(...placeOf(event)));
    svg.addEventListener("focus", () => svg.matches(":focus-visible") && go(column, i));
    svg.addEventListener("keydown", event => {
        const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
        if (step === undefined) return;
        go(column + step[0], i + step[1]);
        event.preventDefault();
    });
}

function describeSet(cache, i) {
    const set = cache.perSet[i], names = new Map();
    for (const [region, n] of set.regions) {
        const name = region < 0 ? "elsewhere" : cache.regions[region][1] || `${address(cache, region)} to ${address(cache, region, true)}`;
        names.set(name, (names.get(name) || 0) + n);
    }
    const parts = [...names].sort((a, b) => b[1] - a[1]).map(([name, n]) => `${name} ${percent(n, set.n)} %`);
    return `Set ${i}: ${big(set.n)} misses (${percent(set.n, cache.total)} %, ` +
        `${(set.n * cache.sets / cache.total).toFixed(2)} times the average)   ${parts.join(", ")}`;
}

function drawSets(cache) {
    const box = byId("sets"), width = widthOf(box), across = cache.sets >= 512 && width >= 600 ? 64 : 32, wide = (width - 46) / across;
    const high = Math.min(SET, wide), rows = Math.ceil(cache.sets / across);
    const most = cache.perSet.reduce((m, set) => Math.max(m, set.n), 1);
    const svg = drawn("svg", {viewBox: `0 0 ${width} ${rows * high + 2}`, height: rows * high + 2});
    for (let r = 0; r < rows; r++)
        svg.append(drawn("text", {x: 38, y: r * high + high / 2 + 5, "text-anchor": "end"}, String(r * across)));
    cache.perSet.forEach((set, i) => {
        const rect = drawn("rect", {x: 44 + i % across * wide, y: 1 + Math.floor(i / across) * high, width: wide, height: high, "data-set": i});
        rect.style.fill = set.n > 0 ? heatColour(0.06 + 0.94 * set.n / most) : "none";
        rect.setAttribute("pointer-events", "all");
        svg.append(rect);
    });
    explore(svg, across, rows, event => [Math.floor((event.offsetX - 44) / wide), rows - 1 - Math.floor((event.offsetY - 1) / high)], (column, i) => {
        const set = (rows - 1 - i) * across + column, rect = svg.querySelector(`[data-set="${set}"]`);
        if (!rect || rect.classList.contains("at")) return;
        svg.querySelectorAll(".at").forEach(old => old.classList.remove("at"));
        rect.classList.add("at");
        svg.append(rect); /* above its neighbours */
        byId("set").textContent = describeSet(cache, set);
    });
    box.replaceChildren(svg);
}

/* What the pictures say at a glance. */
function describeSpread(cache) {
    if (cache.total === 0) return "It never missed.";
    const used = cache.perSet.filter(set => set.n > 0).length;
    const hottest = cache.perSet.reduce((best, set, i, all) => set.n > all[best].n ? i : best, 0);
    const times = cache.perSet[hottest].n * cache.sets / cache.total;
    return `${big(cache.total)} misses in ${used} of ${cache.sets} sets; the most in set ${hottest}, ` +
        `${times.toFixed(2)} times the average${times >= 2 && cache.total >= 16 * cache.sets ? ": lines compete for few sets" : ""}. ` +
        `A row of the map is ${big(cache.bytes)} bytes${cache.physical ? " of physical memory" : ""}, a column ${big(cache.cycles)} cycles; ` +
        "a stronger colour is more, by powers of ten; rows without a miss are left out.";
}

function drawMisses() {
    byId("misses").hidden = data.caches.length === 0 || Boolean(changes);
    if (byId("misses").hidden) return;
    const cache = missesOf(data.caches[Number(byId("cache").value)]);
    document.querySelector("#misses small").textContent = cache.event >= 0 ? data.events[cache.event].name : `${cache.name}, not an event of this core`;
    byId("spread").textContent = describeSpread(cache);
    byId("spot").textContent = byId("set").textContent = "\u00a0";
    drawMap(cache);
    drawSets(cache);
}

function listCaches() {
    data.caches.forEach((cache, i) => byId("cache").append(new Option(cache.name, String(i))));
    const first = data.caches.findIndex(cache => cache.name === "L1D");
    byId("cache").value = String(Math.max(first, 0));
    byId("cache").addEventListener("change", drawMisses);
}

/* ---- choosing ---- */

function showChosen() {
    const name = data.events[state.event].name;
    document.querySelectorAll("#events tbody tr").forEach((tr, i) => tr.classList.toggle("chosen", i === state.event));
    byId("event").value = String(state.event);
    document.querySelector("#calls small").textContent = `${name}, ${big(total())}`;
    document.querySelector("#functions small").textContent = name;
    document.querySelector("#source small").textContent = name;
    byId("about").textContent = "\u00a0";
    byId("moment").textContent = "\u00a0";
    const parts = new URLSearchParams({event: name});
    if (state.search !== "") parts.set("search", state.search);
    try {
        history.replaceState(null, "", "#" + parts);
    } catch (error) {
        /* an address that may not be changed, as in a frame: the report works without */
    }
}

function draw() {
    const hasProfile = data.events.length > 0;
    for (const id of ["calls", "functions", "timeline", "source"]) byId(id).hidden = !hasProfile;
    byId("choice").hidden = !hasProfile;
    if (!hasProfile) return;
    showChosen();
    drawFlame();
    showFound();
    drawChangedCode();
    drawHot();
    drawAccesses();
    drawFunctions();
    drawTimeline();
    drawMisses();
    drawSource();
}

function search(name) {
    byId("search").value = state.search = name;
    draw();
}

function choose(event) {
    state.line = ""; /* the hottest of that event */
    state.event = event;
    draw();
}

function readAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const event = data.events.findIndex(e => e.name === parts.get("event"));
    state.event = event >= 0 ? event : 0;
    state.search = parts.get("search") || "";
    byId("search").value = state.search;
}

function setTheme(name) {
    document.documentElement.dataset.theme = name;
    byId("theme").textContent = name === "dark" ? "Light" : "Dark";
    if (byId("cache").options.length > 0) drawMisses(); /* in colours of the theme */
}

function listen() {
    byId("event").addEventListener("change", event => choose(Number(event.target.value)));
    byId("search").addEventListener("input", event => {
        search(event.target.value);
    });
    byId("theme").addEventListener("click", () =>
        setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    byId("whole").addEventListener("click", () => {
        state.zoom = 0;
        drawFlame();
    });
    byId("more").addEventListener("click", () => {
        state.allFunctions = true;
        drawFunctions();
    });
    byId("flame").addEventListener("click", event => {
        const node = nodeAt(event.target);
        if (node !== null) zoomTo(node);
    });
    byId("flame").addEventListener("mouseover", event => {
        const node = nodeAt(event.target);
        if (node !== null) byId("about").textContent = describe(node);
    });
    document.addEventListener("keydown", onKey);
    byId("flame").addEventListener("focusin", event => byId("about").textContent = describe(nodeAt(event.target)));
    byId("flame").addEventListener("keydown", event => {
        const g = event.target.closest("g[data-node]");
        if (event.key === "Enter") zoomTo(Number(g.dataset.node));
        else if (!moveInFlame(g, event.key)) return;
        event.preventDefault();
    });
    window.addEventListener("hashchange", () => {
        readAddress();
        draw();
    });
    window.addEventListener("resize", draw);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change",
        event => setTheme(event.matches ? "dark" : "light"));
}

/* ---- all of it ---- */

for (const file of data.files) {
    file.sums = unpack(file.sums);
    file.counts = file.counts.map(([line, ...pairs]) => [line, unpack(pairs)]);
}
for (let i = 0; i < data.nodes.length; i += 2) addNode(data.nodes[i], data.nodes[i + 1]);
if (before && given.after) joinBefore();
setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
if (given.setup) showSetup();
else byId("machine").hidden = true;
showChanges();
showSeries();
showEvents();
showCycles();
drawWhatif();
listCaches();
listRates();
readAddress();
listen();
draw();
