// Measures the viewer in Chromium with software rendering: transport, drawing, latency of the mouse, what an open page costs, the
// time to the first picture; with --soak MINUTES the memory of server and page.
//
// usage: node viewer.mjs PROGRAM PLAYWRIGHT CHROMIUM [--soak MINUTES]
//
// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [program, playwright, chromiumPath, option, minutes] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(playwright, "index.mjs")).href);
const folder = mkdtempSync(join(tmpdir(), "settee-bench-"));
const children = [];

// A cloth of so many triangles that falls without forces inside of it: a step costs little, every point moves.
function cloth(triangles) {
    const n = Math.round(Math.sqrt(triangles / 2)) + 1;
    const path = join(folder, `cloth_${n}.scn`);
    writeFileSync(
        path,
        `<Node name="root" dt="0.01" gravity="0 -0.01 0"><DefaultAnimationLoop/><Node name="Cloth">
         <EulerExplicitSolver/><RegularGridTopology name="grid" n="${n} 1 ${n}" min="-1 0 -1" max="1 0 1"/>
         <TriangleSetTopologyContainer name="mesh" src="@grid"/><MechanicalObject name="dofs" src="@grid"/>
         <UniformMass totalMass="1"/><Node name="Visual"><OglModel name="skin" src="@../grid" color="0.3 0.5 0.9 1"/>
         <IdentityMapping input="@../dofs" output="@skin"/></Node></Node></Node>`,
    );
    return path;
}

const SOFT = `<Node name="root" dt="0.01" gravity="0 -9.81 0"><DefaultAnimationLoop/><Node name="Bar">
    <EulerImplicitSolver rayleighStiffness="0.1"/><SparseLDLSolver template="CompressedRowSparseMatrixMat3x3d"/>
    <RegularGridTopology name="grid" n="16 8 8" min="0 0 0" max="4 1 1"/><MechanicalObject name="dofs"/>
    <UniformMass totalMass="1"/><HexahedronFEMForceField youngModulus="5000" poissonRatio="0.3"/>
    <BoxROI name="end" box="-0.1 -0.1 -0.1 0.1 1.1 1.1"/><FixedProjectiveConstraint indices="@end.indices"/>
    </Node></Node>`;

function view(path, ...options) {
    const child = spawn(program, ["view", path, "--no-browser", "--quiet", ...options], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    return new Promise((resolve, reject) => {
        child.stdout.on("data", (data) => resolve({ child, url: String(data).trim() }));
        child.on("exit", () => reject(new Error("the program ended")));
    });
}

const args = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
const gl = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--js-flags=--expose-gc"];
const browser = await chromium.launch({ executablePath: chromiumPath, args: [...args, ...gl] });
const open = async (url) => {
    const page = await browser.newPage({ viewport: { width: 960, height: 640 } });
    await page.goto(url);
    return page;
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const kilobytes = (child) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]);
/** Seconds of processor time of the program. */
const spent = (child) => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").replace(/.*\) /, "").split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** The page that says "not found": of the right origin, and empty. */
const openEmpty = async (url) => {
    const page = await browser.newPage();
    await page.goto(url.replace("/?", "/none?"));
    return page;
};

/** A connection of an empty page: frames, figures and answers as they come. */
const listen = (page, url, commands) =>
    page.evaluate(
        ([address, first]) => {
            const { host, search } = new URL(address);
            const socket = new WebSocket(`ws://${host}/live${search}`, "settee-1");
            socket.binaryType = "arraybuffer";
            const seen = (window.seen = { frames: 0, bytes: 0, step: 0, busy: 0 });
            window.waiting = new Map();
            window.ask = (command) =>
                new Promise((resolve) => {
                    const id = window.waiting.size + 1;
                    window.waiting.set(id, resolve);
                    socket.send(JSON.stringify({ ...command, id }));
                });
            socket.onmessage = ({ data }) => {
                if (typeof data !== "string") {
                    seen.frames++;
                    seen.bytes += data.byteLength;
                    return;
                }
                const message = JSON.parse(data);
                if (message.type === "figures")
                    Object.assign(seen, { step: message.step, busy: message.busy, pull: message.watched[0]?.value });
                if (message.type === "answer") window.waiting.get(message.id)?.(message);
            };
            return new Promise((resolve, reject) => {
                socket.onerror = () => reject(new Error("no connection"));
                socket.onopen = () => {
                    for (const command of first) window.ask(command);
                    resolve();
                };
            });
        },
        [url, commands],
    );
const seen = (page) => page.evaluate(() => ({ ...window.seen }));
const row = (what, value, goal) => console.log(`${what.padEnd(66)} ${String(value).padStart(12)}   ${goal}`);

async function transport() {
    const { child, url } = await view(cloth(1e6));
    const page = await openEmpty(url);
    await listen(page, url, [{ do: "speed", factor: 0 }]);
    await pause(2000);
    const before = await seen(page);
    const start = Date.now();
    await pause(5000);
    const after = await seen(page);
    const seconds = (Date.now() - start) / 1000;
    row(
        "transport of 10^6 moving triangles, frames/s",
        ((after.frames - before.frames) / seconds).toFixed(1),
        "goal 30",
    );
    row("  MB/s", ((after.bytes - before.bytes) / seconds / 1e6).toFixed(0), "");
    row("  milliseconds in a step", ((1000 * (after.busy - before.busy)) / (after.step - before.step)).toFixed(1), "");
    await page.close();
    child.kill();
}

async function drawing() {
    const { child, url } = await view(cloth(1e5));
    const page = await open(url);
    await page.locator(".clock").waitFor();
    await pause(1500);
    const frames = await page.evaluate(async () => {
        const canvas = document.querySelector(".stage canvas");
        const gl = canvas.getContext("webgl2");
        let count = 0;
        const draw = gl.drawElements.bind(gl);
        gl.drawElements = (...rest) => (count++, draw(...rest));
        const start = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 5000));
        return count / ((performance.now() - start) / 1000);
    });
    row("drawing of 10^5 moving triangles in Chromium, frames/s", frames.toFixed(1), "goal 10");
    await page.close();
    child.kill();
}

async function latency() {
    const path = join(folder, "soft.scn");
    writeFileSync(path, SOFT);
    const { child, url } = await view(path);
    const page = await openEmpty(url);
    await listen(page, url, []);
    await pause(500);
    const times = await page.evaluate(async () => {
        const ray = { x: 4, y: 0.5, z: 9, dx: 0, dy: 0, dz: -1 };
        const picked = await window.ask({ do: "pull", ...ray, stiffness: 100 });
        const times = [];
        for (let i = 0; i < 60; i++) {
            const [x, y, z] = picked.point;
            const start = performance.now();
            await window.ask({ do: "drag", x, y: y + (i % 2), z });
            times.push(performance.now() - start);
            await new Promise((resolve) => setTimeout(resolve, 37));
        }
        return times.sort((a, b) => a - b);
    });
    const now = await seen(page);
    const step = (1000 * now.busy) / now.step;
    row("mouse to force, ms: median", times[30].toFixed(1), `goal: one step (${step.toFixed(1)}) + 30`);
    row("  the slowest of 60", times[59].toFixed(1), "");
    await page.close();
    child.kill();
}

async function cost() {
    const path = join(folder, "soft.scn");
    writeFileSync(path, SOFT);
    const { child, url } = await view(path);
    const page = await openEmpty(url);
    await listen(page, url, [{ do: "speed", factor: 0 }]);
    let look = null;
    const sums = { without: [0, 0], with: [0, 0] };
    for (let turn = 0; turn < 6; turn++) {
        const key = turn % 2 ? "with" : "without";
        look = turn % 2 ? await open(url) : (await look?.close(), null);
        await pause(1000);
        const before = [await seen(page), spent(child)];
        await pause(3000);
        const after = [await seen(page), spent(child)];
        sums[key][0] += after[0].step - before[0].step;
        sums[key][1] += after[0].busy - before[0].busy;
    }
    const per = (sum) => (1000 * sum[1]) / sum[0];
    row(
        "milliseconds per step, without and with a page that draws",
        `${per(sums.without).toFixed(2)} ${per(sums.with).toFixed(2)}`,
        "goal: +5 %",
    );
    await look?.close();
    await page.close();
    child.kill();
}

async function first() {
    const path = join(folder, "soft.scn");
    writeFileSync(path, SOFT);
    const times = [];
    for (let i = 0; i < 3; i++) {
        const page = await browser.newPage();
        const start = performance.now();
        const { child, url } = await view(path);
        await page.goto(url);
        await page.waitForFunction(() => /step/.test(document.querySelector(".clock")?.textContent ?? ""));
        times.push(performance.now() - start);
        await page.close();
        child.kill();
    }
    times.sort((a, b) => a - b);
    row("first picture after the command, ms", times[1].toFixed(0), "goal 1000");
}

// Memory of server and page every half a minute while the scene moves, is colored, scrubbed, pulled and reset.
async function soak() {
    const path = join(folder, "soft.scn");
    writeFileSync(path, SOFT);
    const { child, url } = await view(path);
    const page = await open(url);
    const session = await page.context().newCDPSession(page);
    const end = Date.now() + minutes * 60000;
    for (let turn = 0; Date.now() < end; turn++) {
        const box = await page.locator(".stage").boundingBox();
        await page.keyboard.down("Shift");
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 3, { steps: 8 });
        await page.mouse.up();
        await page.keyboard.up("Shift");
        for (const name of ["Plots", "Matrices", "Messages", "Show"])
            await page.locator("[role=tab]", { hasText: name }).click();
        const color = page.getByLabel("Field that colors the bodies");
        await color.fill(turn % 2 ? "" : "/Bar/dofs.velocity");
        await color.press("Enter");
        if (turn % 5 === 4) await page.getByRole("button", { name: "Reset", exact: true }).click();
        await pause(2000);
        if (turn % 12 === 0) {
            await session.send("HeapProfiler.collectGarbage");
            const { usedSize } = await session.send("Runtime.getHeapUsage");
            const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
            const seconds = Math.round((Date.now() - end) / 1000 + minutes * 60);
            console.log(
                `${seconds} s: server ${kilobytes(child)} kB, heap of the page ${Math.round(usedSize / 1024)} kB, ${nodes} elements`,
            );
        }
    }
    child.kill();
}

try {
    if (option === "--soak") await soak();
    else for (const measure of [transport, drawing, latency, cost, first]) await measure();
} finally {
    await browser.close();
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true });
}
process.exit(0);
