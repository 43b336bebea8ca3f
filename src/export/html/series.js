/* Results of a sweep, or counts of commits: a chart for each event and metric, and a table. */

const PANELS = 24, CURVES = 36;

/* A sweep's machines as rows: keys (that differ), and values by name. */
function rowsOfSweep(sweep) {
    const rows = sweep.machines.map(m => ({keys: {machine: m.machine, ...m.settings}, values: {...m.counts, ...m.metrics}}));
    const keys = Object.keys(rows[0].keys), varied = keys.filter(key => new Set(rows.map(r => r.keys[key])).size > 1);
    const used = varied.length > 0 ? varied : keys.slice(-1);
    return {title: sweep.program, about: `${rows.length} machines, one execution${sweep["is-complete"] ? "" : `; not complete: the program was ${sweep["ended-early"]}`}`,
        keys: used, fixed: keys.filter(key => !used.includes(key)).map(key => `${key} ${rows[0].keys[key]}`), rows};
}

/* A commit's counts are all numbers of its row but the steps. */
function rowsOfTrend(trend) {
    const rows = trend.commits.map(c => ({keys: {revision: c.revision}, date: c.date, cause: c.cause,
        values: Object.fromEntries(Object.entries(c).filter(([key, v]) => typeof v === "number" && !key.endsWith(".percent")))}));
    return {title: "Counts by commit", about: `${rows.length} commits`, keys: ["revision"], fixed: [], rows, fits: true};
}

const distinct = list => [...new Set(list)];

/* The names of all values, and of each what it is by curve over the values of a key. */
function seriesOver(all, key) {
    const others = all.keys.filter(k => k !== key), labels = distinct(all.rows.map(r => r.keys[key]));
    const names = all.rows.map(r => others.map(k => k === "machine" ? r.keys[k] : `${k}=${r.keys[k]}`).join(", ")), different = distinct(names);
    const curves = new Map(different.slice(0, CURVES).map(name => [name, labels.map(() => null)])), places = new Map(labels.map((label, i) => [label, i]));
    all.rows.forEach((r, i) => {
        const curve = curves.get(names[i]);
        if (curve) curve[places.get(r.keys[key])] = r;
    });
    return {labels, curves: [...curves], n: different.length};
}

function drawSeries(all) {
    const key = byId("over").value || all.keys[all.keys.length - 1], {labels, curves, n} = seriesOver(all, key), box = byId("panels"), together = [];
    const names = distinct(all.rows.flatMap(r => Object.keys(r.values)));
    const wide = widthOf(box), width = wide >= 900 ? (wide - 32) / 2 : wide;
    const say = i => byId("point").textContent = `${key} ${labels[i]}`;
    box.replaceChildren(...names.slice(0, PANELS).map(name => chart({title: name, unit: "", fits: true, x: {labels, name: key},
        series: curves.map(([curve, rows]) => ({name: curve || name, values: rows.map(r => r && r.values[name] !== undefined ? r.values[name] : null)}))},
    width, together, say)));
    const left = [names.length > PANELS ? `${names.length - PANELS} more columns are in the table alone.` : "", n > CURVES ? `${n - CURVES} more curves are not drawn; all are in the table.` : ""];
    byId("left-out").textContent = left.join(" ");
}

function tableOf(all) {
    const names = distinct(all.rows.flatMap(r => Object.keys(r.values))), table = document.querySelector("#results table");
    const beside = ["date", "cause"].filter(what => all.rows.some(r => r[what])), columns = [...all.keys, ...beside, ...names], nTexts = all.keys.length + beside.length;
    table.tHead.rows[0].replaceChildren(...columns.map((name, i) => element("th", name, i < nTexts ? "" : "n")));
    showRows(table.tBodies[0], all.rows.map(r => () => row([...all.keys.map(key => [r.keys[key], "code"]), ...beside.map(what => [r[what] || ""]),
        ...names.map(name => [r.values[name] === undefined ? "" : exactly(r.values[name]), "n"])])));
}

function showSeries() {
    if (!series) return;
    const all = given.sweep ? rowsOfSweep(given.sweep) : rowsOfTrend(given.trend);
    document.title = `armpmu ${given.sweep ? "sweep" : "trend"}: ${all.title}`;
    document.querySelector("h1").textContent = `armpmu ${given.sweep ? "sweep" : "trend"}`;
    byId("command").textContent = [all.title, all.about, ...all.fixed].join("   ");
    all.keys.forEach(key => byId("over").append(new Option(key)));
    byId("over").value = all.keys[all.keys.length - 1];
    byId("over").parentNode.hidden = all.keys.length < 2;
    byId("over").addEventListener("change", () => drawSeries(all));
    window.addEventListener("resize", () => drawSeries(all));
    for (const id of ["series", "results"]) byId(id).hidden = false;
    byId("events").hidden = true;
    drawSeries(all);
    tableOf(all);
}
