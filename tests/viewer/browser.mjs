// The page in a browser: every control is used, and the picture is judged by what it shows.
//
// usage: node browser.mjs PROGRAM EXAMPLES PLAYWRIGHT CHROMIUM FOLDER     (FOLDER gets screenshots)
//
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [program, examples, playwright, chromiumPath, folder] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(playwright, "index.mjs")).href);
const scene = join(examples, "jelly.scn");

// ---- helpers

const programs = [];
const view = (...options) => viewFile(scene, ...options);
function viewFile(path, ...options) {
    const child = spawn(program, ["view", path, "--no-browser", "--quiet", ...options], {
        stdio: ["ignore", "pipe", "pipe"],
    });
    programs.push(child);
    return new Promise((resolve, reject) => {
        let text = "";
        child.stdout.on("data", (data) => {
            text += data;
            if (text.includes("\n")) resolve({ child, url: text.trim() });
        });
        child.on("exit", () => reject(new Error(`the program ended: ${text}`)));
    });
}

function end(child) {
    return new Promise((resolve) => {
        child.on("exit", resolve);
        child.kill("SIGTERM");
    });
}

const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [
        "--headless",
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
    ],
});

async function open(url) {
    const page = await browser.newPage({ viewport: { width: 960, height: 640 } });
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.errors = errors;
    page.setDefaultTimeout(15000);
    await page.goto(url);
    return page;
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const tab = (page, name) => page.locator("[role=tab]", { hasText: name }).click();
const clock = (page) => page.locator(".clock").innerText();
const step = async (page) => Number(/step (\d+)/.exec(await clock(page))?.[1] ?? -1);
const until = (page, test, argument) => page.waitForFunction(test, argument, { timeout: 15000 });
const atStep = (page, wanted) =>
    until(page, (n) => document.querySelector(".clock").textContent.includes(`step ${n}`), wanted);

/** What the picture shows: how many pixels differ from the background, their middle, and counts of bluish and orange ones. */
async function look(page) {
    let seen = await glance(page);
    for (let i = 0; i < 20; i++) {
        const before = seen.key;
        await page.waitForTimeout(60);
        seen = await glance(page);
        if (seen.key === before) break; // drawn, and at rest
    }
    return seen;
}

function glance(page) {
    return page.evaluate(async () => {
        for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve)); // what came is drawn
        const canvas = document.querySelector(".stage canvas");
        const copy = document.createElement("canvas");
        copy.width = canvas.width;
        copy.height = canvas.height;
        const pen = copy.getContext("2d");
        pen.drawImage(canvas, 0, 0);
        const { data } = pen.getImageData(0, 0, copy.width, copy.height);
        const seen = { all: 0, blue: 0, orange: 0, blueY: 0, orangeY: 0, key: 0 };
        for (let i = 0; i < data.length; i += 4) {
            const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
            const y = Math.floor(i / 4 / copy.width);
            seen.key = (seen.key * 31 + r + 2 * g + 3 * b) % 1000003;
            if (Math.abs(r - data[0]) + Math.abs(g - data[1]) + Math.abs(b - data[2]) < 12) continue;
            seen.all++;
            if (b > r + 40) (seen.blue++, (seen.blueY += y));
            if (r > b + 40) (seen.orange++, (seen.orangeY += y));
        }
        seen.blueY /= seen.blue;
        seen.orangeY /= seen.orange;
        return seen;
    });
}

const shot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`) });
const downloaded = async (page, name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
};

const tests = [];
const test = (name, run) => tests.push([name, run]);

// ---- tests

let server;
let page;

test("a body falls and a bar sags", async () => {
    server = await view("--paused");
    page = await open(server.url);
    await atStep(page, 0);
    const before = await look(page);
    assert.ok(before.blue > 5000 && before.orange > 2000, JSON.stringify(before));
    await page.getByLabel("Number of steps").fill("40");
    await button(page, "Steps").click();
    await atStep(page, 40);
    const after = await look(page);
    assert.ok(after.blueY > before.blueY + 30, "the cube has not fallen");
    assert.ok(after.orangeY > before.orangeY + 10, "the bar has not sagged");
    await shot(page, "inspector");
});

test("time: step, play, pause, speed, timeline, reset, reload", async () => {
    await button(page, "Step").click();
    await atStep(page, 41);
    await page.getByLabel("Speed").selectOption("0");
    await button(page, "Play").click();
    await button(page, "Pause").waitFor();
    await until(page, () => Number(/step (\d+)/.exec(document.querySelector(".clock").textContent)[1]) > 60);
    await button(page, "Pause").click();
    await button(page, "Play").waitFor();

    // back in time: another picture, and the same one again at the end
    const now = await look(page);
    await page.getByLabel("Timeline").fill("0");
    assert.match(await clock(page), /step 0 +\(frame 1 of/);
    assert.notEqual((await look(page)).key, now.key);
    await page.getByLabel("Timeline").evaluate((slider) => {
        slider.value = slider.max;
        slider.dispatchEvent(new Event("input"));
    });
    assert.equal((await look(page)).key, now.key);

    await button(page, "Reset").click();
    await atStep(page, 0);
    await page.locator(".time [aria-label=dt]").fill("0.005");
    await page.locator(".time [aria-label=dt]").press("Enter");
    await button(page, "Step").click();
    await until(page, () => document.querySelector(".clock").textContent.startsWith("t = 0.005 s"));
    await button(page, "Reload").click();
    await atStep(page, 0);
    await until(page, () => document.querySelector("[aria-label=dt]").value === "0.01");
    await page.locator(".stage canvas").first().focus();
    await page.keyboard.press(".");
    await atStep(page, 1);
});

test("inspector: search, fields, edits, refused values, links, XML", async () => {
    await tab(page, "Inspector");
    await page.getByLabel("Search nodes and components").fill("UniformMass");
    assert.equal(await page.locator(".tree li").count(), 4); // two nodes, two masses
    await page.getByLabel("Search nodes and components").fill("");
    await page.locator('.tree li[data-path="/Bar/dofs"] button').click();
    await page.locator("[data-field=position]").waitFor();
    await page.locator('.tree li[data-path="/Bar/EulerImplicitSolver1"] button').click();
    const field = page.locator("[data-field=rayleighStiffness]");
    const input = field.locator("input");
    assert.match(await field.locator(".help").innerText(), /default/);
    await input.fill("0.125");
    await input.press("Enter");
    await button(page, "Read again").click();
    await until(page, () => document.querySelector("#field-rayleighStiffness").value === "0.125");

    // what is no number is refused, with a message, and the old value comes back
    await page.waitForTimeout(300); // the fields that were read again are there
    await page.locator("#field-rayleighStiffness").fill("soft");
    await page.locator("#field-rayleighStiffness").press("Enter");
    await until(page, () =>
        document.querySelector("[data-field=rayleighStiffness] .note").textContent.includes("'soft' is no value"),
    );
    assert.equal(await page.locator("#field-rayleighStiffness").inputValue(), "0.125");

    // a link is followed: an integrator knows its linear solver
    const follow = page.locator('.field .tools button[title^="go to"]').first();
    if (await follow.count()) {
        await follow.click();
        await until(
            page,
            () => document.querySelector('.tree [aria-selected="true"]').dataset.path !== "/Bar/EulerImplicitSolver1",
        );
    }
    const path = await downloaded(page, "Save XML");
    assert.match(readFileSync(path, "utf8"), /rayleighStiffness="0\.125"/);

    // a body that is clicked twice is selected
    const box = await page.locator(".stage").boundingBox();
    await page.mouse.dblclick(box.x + box.width * 0.47, box.y + box.height * 0.5);
    await until(page, () => document.querySelector('.tree [aria-selected="true"]').dataset.path.startsWith("/Jelly"));
});

test("show: flags, colors, camera, clipping, theme", async () => {
    await tab(page, "Show");
    await shot(page, "show");
    let last = await look(page);
    const changes = async (what, action) => {
        await action();
        for (let i = 0; i < 30; i++) {
            const now = await look(page);
            if (now.key !== last.key) {
                last = now;
                return;
            }
        }
        assert.fail(`the picture is the same after: ${what}`);
    };
    for (const name of ["Fixed points", "Bounding boxes", "Forces", "Numbers of points"]) {
        const box = page.getByLabel(name);
        if (name === "Numbers of points")
            await box.check(); // drawn over the picture
        else await changes(name, () => box.check());
        await until(
            page,
            (n) => document.querySelector(`input[name=${n}]`).checked,
            {
                "Fixed points": "fixed",
                "Bounding boxes": "boxes",
                Forces: "forces",
                "Numbers of points": "labels",
            }[name],
        );
    }
    await shot(page, "flags");
    for (const name of ["Fixed points", "Bounding boxes", "Forces", "Numbers of points"])
        await page.getByLabel(name).uncheck();
    await page.getByLabel("Wires of surfaces").check();
    await changes("wires", async () => {});
    await page.getByLabel("Wires of surfaces").uncheck();
    for (const name of ["+x", "-x", "+y", "-y", "+z", "-z", "Fit", "Selected"])
        await changes(name, () => button(page, name).click());
    await changes("orthographic", () => page.getByLabel("Orthographic").check());
    await changes("perspective", () => page.getByLabel("Orthographic").uncheck());
    await button(page, "Scene's camera").click();
    await until(page, () => document.querySelector("main > .note").textContent.includes("no camera"));
    const whole = last.all;
    await changes("clipping", () => page.getByLabel("Clipping axis").selectOption("x"));
    assert.ok(last.all < whole, "nothing was cut off");
    await changes("clipping position", () => page.getByLabel("Clipping position").fill("0.8"));
    await changes("no clipping", () => page.getByLabel("Clipping axis").selectOption("off"));

    // bodies colored by the speed of their points, with a bar; a field that nothing has is refused
    const color = page.getByLabel("Field that colors the bodies");
    await changes("colors", async () => {
        await color.fill("/Bar/dofs.velocity");
        await color.press("Enter");
    });
    await page.locator(".legend .strip").waitFor();
    await shot(page, "colors");
    await color.fill("/nothing.at");
    await color.press("Enter");
    await page.locator("main > .note.bad").waitFor();
    await color.fill("");
    await color.press("Enter");
    await page.locator(".legend").waitFor({ state: "hidden" });
    await changes("theme", () => button(page, "Light or dark").click());
    await shot(page, "dark");
    await button(page, "Light or dark").click();
});

test("the pointer pulls at a body, with Shift and with the button", async () => {
    await button(page, "Reset").click();
    await atStep(page, 0);
    await tab(page, "Show");
    await button(page, "+z").click();
    const box = await page.locator(".stage").boundingBox();
    const drag = async (what) => {
        const before = await look(page);
        const x = box.x + box.width / 2;
        const y = box.y + before.blueY;
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.locator("main > .note", { hasText: "pulling at /Jelly/" }).waitFor();
        await page.mouse.move(x - 60, y - 80, { steps: 5 });
        const now = await step(page);
        await button(page, "Steps").evaluate((steps) => steps.click());
        await atStep(page, now + 15);
        const after = await look(page);
        await page.mouse.up();
        await until(page, () => document.querySelector("main > .note").textContent === "");
        assert.ok(after.blueY < before.blueY - 5, `${what}: not lifted, ${before.blueY} to ${after.blueY}`);
    };
    await page.getByLabel("Number of steps").fill("15");
    await page.getByLabel("Stiffness of the pull").fill("300");
    await page.getByLabel("Stiffness of the pull").press("Enter");
    await page.keyboard.down("Shift");
    await drag("with Shift");
    await page.keyboard.up("Shift");
    await button(page, "Pull").click();
    await drag("with the button");
    await shot(page, "pull");
    await button(page, "Pull").click();
    await button(page, "Reset").click();
    await atStep(page, 0);
    await button(page, "Step").click();
    await atStep(page, 1);
    await button(page, "Fit").click();
});

// ---- what changes bodies

const CARVED = `<Node name="root" gravity="0 0 0" dt="0.01"><DefaultAnimationLoop/>
  <RegularGridTopology name="grid" n="7 5 3" min="-0.6 -0.4 -0.1" max="0.6 0.4 0.1"/>
  <Node name="Block"><EulerImplicitSolver rayleighStiffness="0.1" rayleighMass="0.1"/>
    <CGLinearSolver iterations="100" tolerance="1e-9" threshold="1e-12"/>
    <TetrahedronSetTopologyContainer name="mesh"/><TetrahedronSetTopologyModifier/>
    <Hexa2TetraTopologicalMapping input="@/grid" output="@mesh"/>
    <MechanicalObject name="dofs" position="@/grid.position"/><DiagonalMass massDensity="10"/>
    <TetrahedralCorotationalFEMForceField youngModulus="3000" poissonRatio="0.3"/>
    <Node name="Surface"><TriangleSetTopologyContainer name="mesh"/><TriangleSetTopologyModifier/>
      <Tetra2TriangleTopologicalMapping input="@../mesh" output="@mesh"/>
      <TriangleCollisionModel/>
      <OglModel name="skin" color="0.2 0.4 0.9 1"/><IdentityMapping input="@../dofs" output="@skin"/></Node></Node></Node>`;

test("the pointer fixes, removes and cuts; keys go to the scene", async () => {
    const file = join(folder, "block.scn");
    writeFileSync(file, CARVED);
    const other = await viewFile(file, "--paused");
    const block = await open(other.url);
    const note = (words) => block.locator("main > .note", { hasText: words }).waitFor();
    const elements = () =>
        block
            .locator("[data-field=tetrahedra] input")
            .evaluate((input) => parseInt(input.title, 10) || input.value.split(" ").length / 4);
    await atStep(block, 0);
    await tab(block, "Show");
    await button(block, "+z").click();
    const box = await block.locator(".stage").boundingBox();
    const at = (x, y) => [box.x + box.width * x, box.y + box.height * y];

    // points that are fixed stay when the rest falls
    await button(block, "Fix").click();
    for (const place of [at(0.42, 0.42), at(0.5, 0.42), at(0.58, 0.42)]) {
        await block.mouse.click(...place);
        await note("fixed a point of /Block/dofs");
    }
    await shot(block, "fix");
    await tab(block, "Inspector");
    await block.locator("#field-gravity").fill("0 -5 0");
    await block.locator("#field-gravity").press("Enter");
    await block.getByLabel("Number of steps").fill("40");
    await button(block, "Steps").click();
    await atStep(block, 40);
    const held = await look(block);
    await button(block, "Free").click();
    await button(block, "Steps").click();
    await atStep(block, 80);
    const fallen = await look(block);
    assert.ok(held.blueY < box.height * 0.58, `not held: ${held.blueY}`);
    assert.ok(!(fallen.blueY < held.blueY + 40), `not let go: ${held.blueY}, ${fallen.blueY}`);
    await button(block, "Reset").click();
    await atStep(block, 0);

    // an element less
    await block.locator('.tree li[data-path="/Block/mesh"] button').click();
    await block.locator("[data-field=tetrahedra]").waitFor();
    const before = await look(block);
    await button(block, "Remove").click();
    await block.mouse.click(...at(0.5, 0.5));
    await note("removed from /Block/dofs");
    assert.notEqual((await look(block)).key, before.key);
    await shot(block, "remove");

    // a swipe from below to above: the mesh has more points, and the halves part
    await button(block, "Reset").click();
    await button(block, "Read again").click();
    await block.waitForTimeout(300);
    const uncut = await elements();
    await button(block, "Cut").click();
    await block.mouse.move(...at(0.51, 0.1));
    await block.mouse.down();
    await block.mouse.move(...at(0.47, 0.9), { steps: 4 });
    await shot(block, "cut");
    await block.mouse.up();
    await note("cut /Block/dofs");
    await button(block, "Read again").click();
    await block.waitForTimeout(300);
    assert.ok((await elements()) > uncut, "the mesh has no more elements");
    await button(block, "Cut").click();

    // keys
    await block.getByLabel("Keys to scene").check();
    await block.locator(".stage canvas").first().focus();
    await block.keyboard.press(".");
    await block.keyboard.press("ArrowUp");
    await block.waitForTimeout(200);
    assert.equal(await step(block), 0); // the page did not take it
    assert.equal(await block.locator("main > .note.bad").count(), 0);
    await block.getByLabel("Keys to scene").uncheck();
    assert.deepEqual(block.errors, []);
    await block.close();
    await end(other.child);
});

test("textures are drawn", async () => {
    const file = join(folder, "textured.scn");
    const picture = join(folder, "half.bmp"); // lower half red, upper half green: two pixels of a BMP
    const bmp = Buffer.alloc(54 + 8);
    bmp.write("BM");
    for (const [at, value] of [
        [2, 62],
        [10, 54],
        [14, 40],
        [18, 1],
        [22, 2],
        [34, 8],
    ])
        bmp.writeUInt32LE(value, at);
    bmp.writeUInt16LE(1, 26);
    bmp.writeUInt16LE(24, 28);
    bmp.set([0, 0, 255], 54);
    bmp.set([0, 255, 0], 58);
    writeFileSync(picture, bmp);
    writeFileSync(
        join(folder, "quad.obj"),
        "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n",
    );
    writeFileSync(
        file,
        `<Node name="root"><DefaultAnimationLoop/><MeshOBJLoader name="quad" filename="quad.obj"/>
      <OglModel name="skin" src="@quad" texturename="half.bmp"/></Node>`,
    );
    const other = await viewFile(file, "--paused");
    const quad = await open(other.url);
    await atStep(quad, 0);
    await tab(quad, "Show");
    await button(quad, "+z").click();
    await look(quad);
    const seen = await quad.evaluate(() => {
        const canvas = document.querySelector(".stage canvas");
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const pen = copy.getContext("2d");
        pen.drawImage(canvas, 0, 0);
        const at = (y) => [...pen.getImageData(copy.width / 2, copy.height * y, 1, 1).data];
        return { above: at(0.35), below: at(0.65) };
    });
    await shot(quad, "texture");
    assert.ok(seen.above[1] > seen.above[0] + 60 && seen.below[0] > seen.below[1] + 60, JSON.stringify(seen));
    await quad.close();
    await end(other.child);
});

test("plots, messages, matrices", async () => {
    await tab(page, "Inspector");
    await page.locator('.tree li[data-path="/Bar/dofs"] button').click();
    await page.locator("[data-field=position] button", { hasText: "plot" }).click();
    await page.getByLabel("Number of steps").fill("30");
    await button(page, "Steps").click();
    await atStep(page, 31);
    await tab(page, "Plots");
    for (const name of ["Energies", "Contacts", "Iterations", "Residuals", "Time per step", "Watched fields"])
        await page.locator(`[data-chart="${name}"] canvas`).waitFor();
    await shot(page, "plots");
    const csv = readFileSync(await downloaded(page, "Save as CSV"), "utf8");
    assert.match(csv, /^chart,time,kinetic,potential,total\nEnergies,/);
    assert.match(csv, /position\[0\]/);
    await button(page, "Clear plots").click();
    await page.locator("[data-chart=Energies]").waitFor({ state: "hidden" });

    await tab(page, "Messages");
    await page.locator(".messages li.warning", { hasText: "jelly.scn:" }).waitFor();
    await shot(page, "messages");

    // by keyboard: arrows go through tabs and tree
    await page.locator("[role=tab]", { hasText: "Messages" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("[role=tab][aria-selected=true]").innerText(), "Matrices");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("[role=tab][aria-selected=true]").innerText(), "Inspector");
    await page.locator('.tree li[data-path="/"] button').focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector('.tree [aria-selected="true"]').dataset.path !== "/");
    await tab(page, "Matrices");
    await page.getByLabel("Matrix", { exact: true }).selectOption("K");
    await page.getByLabel("Component of the matrix").fill("/Bar/springs");
    await button(page, "Show").click();
    const about = page.locator(".matrices .about");
    await until(page, () =>
        /\d+ × \d+; rows 0/.test(document.querySelector(".matrices .about")?.textContent ?? ""),
    ).catch(async () => assert.fail(await about.innerText()));
    await shot(page, "matrices");
    for (let i = 0; i < 4; i++) {
        const text = await about.innerText();
        await page.locator(".matrices canvas").click({ position: { x: 10, y: 10 } });
        await until(page, (before) => document.querySelector(".matrices .about").textContent !== before, text).catch(
            () => {},
        );
    }
    assert.ok((await page.locator(".matrices td").count()) > 0, "no single values");
    assert.match(await page.locator(".matrices th").nth(13).innerText(), /^(\/Bar\/dofs\[\d+\] [xyz]|\d+)$/);
    assert.match(await page.locator(".matrices").innerText(), /\/Bar\/dofs\[\d+\] [xyz]/);
    await shot(page, "values");
    await button(page, "Zoom out").click();
    await page.locator(".matrices td").first().waitFor({ state: "detached" });
    await page.getByLabel("Component of the matrix").fill("");
    await page.getByLabel("Matrix", { exact: true }).selectOption("A");
    // what was kept, and the matrix after other steps
    await button(page, "Keep").click();
    await until(page, () => /kept as it is/.test(document.querySelector(".matrices .about").textContent));
    await page.getByLabel("Difference to what was kept").check();
    await until(page, () =>
        /; 0 of \d+ cells.*difference to t/.test(document.querySelector(".matrices .about").textContent),
    );
    await button(page, "Step").click();
    await atStep(page, 32);
    await button(page, "Show").click();
    await until(page, () =>
        /; [1-9]\d* of \d+ cells.*difference to t/.test(document.querySelector(".matrices .about").textContent),
    );
    await shot(page, "difference");
    await page.getByLabel("Difference to what was kept").uncheck();
    await button(page, "Figures").click();
    await until(page, () => /symmetric/.test(document.querySelector(".matrices .about").textContent));
});

test("export: pictures, and a page that plays from the disk", async () => {
    const picture = readFileSync(await downloaded(page, "Picture"));
    assert.equal(picture.subarray(1, 4).toString(), "PNG");
    const player = await open(pathToFileURL(await downloaded(page, "Export HTML")).href);
    await atStep(player, 0).catch(async () => assert.fail(await clock(player)));
    const first = await look(player);
    assert.ok(first.blue > 3000 && first.orange > 2000, JSON.stringify(first));
    await button(player, "Play").click();
    await button(player, "Play").waitFor();
    assert.ok((await step(player)) > 0);
    assert.notEqual((await look(player)).key, first.key);
    await shot(player, "player");
    assert.deepEqual(player.errors, []);
    await player.close();
});

test("recordings: a video, and pictures in an archive; XML is copied", async () => {
    const stopped = async (format, most) => {
        await page.getByLabel("Format of a recording").selectOption(format);
        await button(page, "Record").click();
        const now = await step(page);
        await button(page, "Steps").click();
        await atStep(page, now + most);
        await page.waitForTimeout(300);
        const path = await downloaded(page, "Stop recording");
        await page.locator("main > .note", { hasText: "recorded" }).waitFor();
        return readFileSync(path);
    };
    await page.getByLabel("Number of steps").fill("20");
    const video = await stopped("webm", 20);
    assert.equal(video.readUInt32BE(0), 0x1a45dfa3); // EBML
    assert.ok(video.length > 2000, `${video.length} bytes`);
    const zip = await stopped("png", 20);
    writeFileSync(join(folder, "pictures.zip"), zip);
    assert.equal(zip.readUInt32LE(0), 0x04034b50);
    assert.equal(zip.subarray(zip.readUInt16LE(26) + 31, zip.readUInt16LE(26) + 34).toString(), "PNG");
    const files = zip.readUInt16LE(zip.length - 12);
    assert.ok(files > 1, `${files} pictures`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(page, "Copy XML").click();
    await page.locator("main > .note", { hasText: "copied" }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /<Node [^]*<UniformMass/);
});

test("settee run --html writes a page that plays", async () => {
    const path = join(folder, "run.html");
    const run = spawnSync(program, ["run", scene, "-n", "50", "--every", "5", "--quiet", "--html", path]);
    assert.equal(run.status, 0, String(run.stderr));
    assert.ok(existsSync(path));
    const player = await open(pathToFileURL(path).href);
    await atStep(player, 0);
    const first = await look(player);
    await player.getByLabel("Timeline").fill("10");
    await atStep(player, 50);
    assert.ok((await look(player)).blueY > first.blueY + 30, "the cube has not fallen");
    await player.close();
});

test("a second page sees the same, and only looks where it may", async () => {
    const other = await view("--read-only", "--token", "only-for-looking");
    assert.match(other.url, /token=only-for-looking$/);
    const looker = await open(other.url);
    await until(looker, () => document.querySelector(".status").textContent.includes("read-only"));
    assert.ok(await looker.getByRole("button", { name: /^(Play|Pause)$/ }).isDisabled());
    await until(looker, () => Number(/step (\d+)/.exec(document.querySelector(".clock").textContent)?.[1]) > 5);
    const second = await open(other.url);
    await until(second, () => Number(/step (\d+)/.exec(document.querySelector(".clock").textContent)?.[1]) > 5);
    await looker.close();
    await second.close();
    await end(other.child);
});

test("a page waits for a server that died, and goes on", async () => {
    const { port, searchParams } = new URL(server.url);
    await end(server.child);
    await until(page, () => document.body.classList.contains("lost"));
    server = await view("--paused", "--port", port, "--token", searchParams.get("token"));
    await until(page, () => !document.body.classList.contains("lost"));
    await atStep(page, 0);
    await button(page, "Step").click();
    await atStep(page, 1);
    assert.deepEqual(page.errors, []);
    await page.setViewportSize({ width: 700, height: 900 });
    await page.waitForTimeout(300);
    await shot(page, "tablet");
    await end(server.child);
});

// ---- run

let failed = 0;
for (const [name, run] of tests) {
    const start = Date.now();
    try {
        await run();
        console.log(`ok      ${name}  [${((Date.now() - start) / 1000).toFixed(1)} s]`);
    } catch (error) {
        failed++;
        console.log(`FAILED  ${name}: ${error.stack}`);
        if (page) await shot(page, "failed");
        break;
    }
}
await browser.close();
for (const child of programs) child.kill();
process.exit(failed ? 1 : 0);
