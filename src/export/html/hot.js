/* The hottest lines, and all about one of them: source beside instructions, why it is slow, what changes would save, and
 * callers and callees of its function. Shown of rows that the keys move to; Enter opens the line's file. */

const BESIDE = 5; /* lines of source before and after */
const INSNS = 4000; /* rows of notes have no even height: all are in the page */

const code = data.code ? data.code.lines : [];

/* Counts as of each event of the page, names as text. */
function readCode() {
    const places = data.code.events.map(name => data.events.findIndex(e => e.name === name));
    const nameAt = place => place === undefined ? undefined : data.code.names[place];
    for (const l of code) {
        l.counts = unpack(l.counts, event => places[event]);
        for (const insn of l.insns) {
            insn.counts = unpack(insn.counts, event => places[event]);
            [insn.symbol, insn.inlined] = [nameAt(insn.symbol), nameAt(insn.inlined)];
        }
    }
}

if (data.code) readCode();
/* Of the chosen event. */
const countOf = of => of.counts[state.event] || 0;
const hottestOf = insns => insns.reduce((best, insn, i) => countOf(insn) > countOf(insns[best]) ? i : best, 0);
const baseOf = path => path.split("/").pop();
const placeOfLine = l => `${baseOf(l.file)}:${l.line}`, pathOfLine = l => `${l.file}:${l.line}`;

/* The function that its hottest instruction is in; an inlined one, if all are of that. */
function functionOf(l) {
    const hottest = l.insns[hottestOf(l.insns)];
    return hottest.inlined && l.insns.every(insn => insn.inlined === hottest.inlined) ? hottest.inlined : hottest.symbol;
}

const fileOf = l => data.files.find(f => f.path === l.file);

function callersAndCallees(name) {
    const {inclusive} = tree(), callers = new Map(), callees = new Map(), inside = new Uint8Array(parents.length);
    const add = (map, key, n) => map.set(key, (map.get(key) || 0) + n);
    for (let i = 1; i < parents.length; i++) {
        const isIt = nameOf(i) === name;
        inside[i] = inside[parents[i]] || isIt;
        if (!isIt || inside[parents[i]]) continue; /* the outermost have the counts of the others */
        if (parents[i] !== 0) add(callers, nameOf(parents[i]), inclusive[i]);
        children[i].forEach(c => add(callees, nameOf(c), inclusive[c]));
    }
    const sorted = map => [...map].filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]);
    return [sorted(callers), sorted(callees)];
}

/* ---- the parts ---- */

function tableOfRows(heads, makers, name) {
    const table = element("table", undefined, name), head = element("thead"), body = element("tbody"), tr = element("tr");
    tr.append(...heads.map(([text, cell]) => element("th", text, cell)));
    head.append(tr);
    table.append(head, body);
    const box = element("div", undefined, "wide");
    box.append(table);
    showRows(body, makers);
    return box;
}

function titled(title, box) {
    const part = element("div");
    part.append(element("h3", title), box);
    return part;
}

/* Of the shown lines of a file, those around one, without the indentation that all have. */
function sourcePart(l) {
    const file = fileOf(l), texts = file && file.text.length > 0 ? file.text : [[l.line, l.source || ""]];
    const counts = new Map(file ? file.counts : []), shown = texts.filter(([n]) => Math.abs(n - l.line) <= BESIDE);
    const indent = Math.min(...shown.filter(([, text]) => text.trim() !== "").map(([, text]) => text.search(/\S/)));
    return tableOfRows([["Count", "n"], ["Line", "n"], ["Source"]], shown.map(([n, text]) => () => {
        const count = counts.has(n) && counts.get(n)[state.event] || 0;
        const tr = row([[count > 0 ? big(count) : "", "n"], [String(n), "n at"], [text.trim(), "code"]]), deep = Math.max(0, text.search(/\S/) - indent) + 2;
        tr.cells[2].style.cssText = `padding-left: ${deep + 1}ch; text-indent: -2ch`; /* as deep, also after a break */
        heat(tr.cells[0], count);
        if (n === l.line) tr.classList.add("this");
        return tr;
    }), "source");
}

/* Where its cycles go, as far as that was recorded. */
const causesOf = of => of.topdown.map(([percent, cause]) => `${percent} % ${data.code.names[cause]}`).join(", ");

const reasonText = (r, isInsn) => `${r.percent.toFixed(1)} % of ${isInsn ? `these ${r.of} ${r.meaning}` : `${r.of}: ${r.meaning}`}`;

/* The count, then the instruction with what is bad about it. What its cycles go for is said where they are a part of the line's. */
function insnRow(insn, ofLine) {
    const n = countOf(insn), tr = row([[n > 0 ? big(n) : "", "n"], [insn.address.replace("0x", ""), "n at"], [insn.insn, "code"]]);
    const notes = insn.reasons.map(r => reasonText(r, true)), causes = n >= 0.03 * ofLine && insn.topdown.every(([percent]) => percent <= 100) ? causesOf(insn) : "";
    if (insn.inlined) tr.title = `inlined ${insn.inlined}`;
    for (const note of [...notes, causes].filter(Boolean)) tr.cells[2].append(element("div", note, "remark"));
    if (accesses.has(keyOf(insn))) tr.cells[2].append(element("div", accessText(accesses.get(keyOf(insn))), "remark data"));
    heat(tr.cells[0], n);
    return tr;
}

/* Of many, the hottest is in view. */
function insnPart(l) {
    const box = tableOfRows([[data.events[state.event].name, "n"], ["Address", "n"], ["Instruction"]], [], "source"), body = box.querySelector("tbody");
    box.classList.add("scroll");
    box.bring = () => { /* once it is in the page, where columns have a width */
        showRows(body, l.insns.map(insn => () => insnRow(insn, countOf(l))), INSNS);
        moveTo(body, hottestOf(l.insns), false);
    };
    return box;
}

/* ---- data accesses ---- */

/* Those of each instruction, by its address and symbol. */
const accesses = new Map(), keyOf = insn => `${insn.address} ${insn.symbol}`;
for (const a of data.accesses ? data.accesses.accesses : []) accesses.set(keyOf(a), [...(accesses.get(keyOf(a)) || []), a]);
const accessesOf = l => l.insns.flatMap(insn => accesses.get(keyOf(insn)) || []);

/* Adds up rows that have the same key: accesses, loads and their cycles. Of an instruction either all are loads or none is. */
function addUp(rows, keyOf) {
    const sums = new Map();
    for (const a of rows) {
        const sum = sums.get(keyOf(a)) || {of: a, n: 0, loads: 0, cycles: 0};
        sum.n += a.accesses;
        sum.loads += a.latency !== undefined ? a.accesses : 0;
        sum.cycles += a.cycles;
        sums.set(keyOf(a), sum);
    }
    return [...sums.values()].sort((a, b) => b.n - a.n);
}

const eachOf = sum => sum.loads > 0 ? (sum.cycles / sum.loads).toFixed(1) : "";

/* "L2 83 %, L1 17 %; TLB hit; 6.7 cycles each; b", of parts that are not rare. */
function accessText(rows) {
    const [sum] = addUp(rows, () => ""), parts = key => addUp(rows, a => a[key]).filter(part => part.n >= sum.n / 200);
    const shares = (list, key) => list.map(part => list.length > 1 ? `${part.of[key]} ${(100 * part.n / sum.n).toFixed(0)} %` : part.of[key]).join(", ");
    return [shares(parts("source"), "source"), `TLB ${shares(parts("tlb"), "tlb")}`, sum.loads > 0 ? `${eachOf(sum)} cycles each` : "",
        parts("data").map(part => part.of.data).join(", ")].filter(Boolean).join("; ");
}

function accessPart(l) {
    const rows = accessesOf(l), [all] = addUp(rows, () => "");
    return tableOfRows([["Accesses", "n"], ["%", "n"], ["From"], ["TLB"], ["Each", "n"], ["Data"]],
        addUp(rows, a => [a.source, a.tlb, a.data].join("\n")).map(sum => () => row([[big(sum.n), "n"], [percent(sum.n, all.n), "n"],
            [sum.of.source], [sum.of.tlb], [eachOf(sum), "n"], [sum.of.data, "code"]])));
}

/* A row for each symbol, block of memory or stack frame; its hottest line is where it misses most. */
function drawAccesses() {
    byId("accesses").hidden = !data.data || Boolean(changes);
    if (byId("accesses").hidden) return;
    const from = new Map();
    data.sources.accesses.forEach(a => from.set(a.data, [...(from.get(a.data) || []), a]));
    document.querySelector("#accesses small").textContent = `${big(data.data.lookups)} lookups, ${big(data.data.refills)} refills`;
    document.querySelector("#accesses .hint").textContent = `Each: cycles of a load ${data.data.load_cycles}; not known of stores. Rows below 0.01 % are left out. A click shows the line that misses most.`;
    showRows(document.querySelector("#accesses tbody"), data.data.accesses.map(a => () => {
        const parts = addUp(from.get(a.data) || [], part => part.source).map(part => `${part.of.source} ${big(part.n)}`);
        const tr = row([[big(a.accesses), "n"], [big(a.refills), "n"], [a.percent.toFixed(2), "n"], [big(a.tlb_refills), "n"],
            [a.latency !== undefined ? a.latency.toFixed(1) : "", "n"], [a.data, "code"]]);
        if (parts.length > 0) tr.cells[5].append(element("div", `from ${parts.join(", ")}`, "remark data"));
        heat(tr.cells[2], a.refills, data.data.refills);
        tr.addEventListener("click", () => {
            const worst = data.accesses.accesses.filter(b => b.data === a.data)[0]; /* those that miss most come first */
            if (worst) openHottest(l => l.insns.some(insn => keyOf(insn) === keyOf(worst)));
        });
        return tr;
    }));
}

const waitText = w => `${w["is-branch"] ? "Comes after the branch" : "Waits for the load"} of ${w.file ? placeOfLine(w) : w.address}: ${w.reasons.map(r => reasonText(r, true)).join(", ")}`;

/* Why it is slow, and what changes of it would save. */
function reasonPart(l) {
    const list = element("ul"), places = [placeOfLine(l), functionOf(l)], causes = causesOf(l);
    if (causes !== "") list.append(element("li", `Of its cycles: ${causes}`));
    l.reasons.forEach(r => list.append(element("li", `${r.event}: ${reasonText(r, false)}`)));
    if (l["waits-for"]) list.append(element("li", waitText(l["waits-for"])));
    data.whatif.filter(w => places.includes(w.place)).forEach(w => list.append(element("li", `If ${w.text}: ${signed(w.percent)} % of all cycles`, "note")));
    if (list.childElementCount === 0) list.append(element("li", "No metric of the core is bad here."));
    return list;
}

function relationPart(rows) {
    const wide = byId("line").clientWidth, room = (wide < 680 ? wide : wide / 2) - 170;
    return tableOfRows([["With calls", "n"], ["%", "n"], ["Function"]], rows.slice(0, 12).map(([name, n]) => () => {
        const tr = row([[big(n), "n"], [percent(n, total()), "n"], [name, "code"]]);
        nameCell(tr.cells[2], name, room);
        tr.addEventListener("click", () => openFunction(name));
        return tr;
    }), "links");
}

/* Shows the hottest line that a test finds, at the head of the page; returns whether there is one. */
function openHottest(test) {
    const l = changes ? undefined : hotLines().find(test);
    if (l) {
        showLine(l);
        byId("hot").scrollIntoView();
    }
    return Boolean(l);
}

/* That of a function; else marks it in the flame graph. */
const openFunction = name => openHottest(l => functionOf(l) === name) || search(name);

function showLine(l) {
    state.line = pathOfLine(l);
    const insns = insnPart(l), [callers, callees] = callersAndCallees(functionOf(l)), box = byId("line"), pair = element("div", undefined, "pair"), calls = element("div", undefined, "pair");
    pair.append(titled(l.file, sourcePart(l)), titled(`${l.insns.length} instructions`, insns));
    if (callers.length > 0) calls.append(titled(`Callers of ${functionOf(l)}`, relationPart(callers)));
    if (callees.length > 0) calls.append(titled(`It calls`, relationPart(callees)));
    if (accessesOf(l).length > 0) calls.append(titled("Its data accesses", accessPart(l)));
    box.replaceChildren(element("h3", `${placeOfLine(l)} in ${functionOf(l)}`), reasonPart(l), pair, calls);
    insns.bring();
    document.querySelectorAll("#hot .chosen").forEach(tr => tr.classList.remove("chosen"));
    const tr = document.querySelector(`#hot tr[data-place="${CSS.escape(state.line)}"]`);
    if (tr) tr.classList.add("chosen");
}

const hotLines = () => code.filter(l => countOf(l) > 0).sort((a, b) => countOf(b) - countOf(a));

function drawHot() {
    byId("hot").hidden = code.length === 0 || Boolean(changes);
    if (byId("hot").hidden) return;
    const lines = hotLines();
    document.querySelector("#hot small").textContent = `${data.events[state.event].name}; arrow keys move, Enter opens the file`;
    showRows(document.querySelector("#hot tbody"), lines.map(l => () => {
        const n = countOf(l), tr = row([[big(n), "n"], [percent(n, total()), "n"], [placeOfLine(l), "code"], [(l.source || "").trim(), "code"]]);
        tr.dataset.place = pathOfLine(l);
        tr.addEventListener("focus", () => state.line !== tr.dataset.place && showLine(l));
        tr.addEventListener("click", () => showLine(l));
        tr.enter = () => openLine(pathOfLine(l));
        return tr;
    }));
    /* The chosen one; else the hottest of the user's own: with its text, and in no library's header. */
    const isOwn = l => l.source !== undefined && !(fileOf(l) || {}).library;
    const first = lines.find(l => pathOfLine(l) === state.line) || lines.find(isOwn) || lines[0];
    if (first) showLine(first);
    else byId("line").replaceChildren(element("p", "No line has it.", "hint"));
}
