// Bundles the page into one HTML file: node build.mjs OUTPUT. SPDX-License-Identifier: Apache-2.0
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (!output) throw new Error("usage: node build.mjs OUTPUT");

const { outputFiles } = await build({
    entryPoints: [join(here, "src/main.ts")],
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    format: "iife",
    target: "es2022",
    legalComments: "inline",
    charset: "ascii",
});
const text = (suffix) => outputFiles.find((file) => file.path.endsWith(suffix)).text;

// "</script" inside of a script would end it, and "<!--" change how its end is found
const script = text(".js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const template = await readFile(join(here, "index.html"), "utf8");
const page = template.replace("/* style */", () => text(".css")).replace("/* script */", () => script);
await writeFile(output, page);
