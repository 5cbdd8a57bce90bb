#!/usr/bin/env node
// Starts the program of the package for this platform.
"use strict";
const { spawnSync } = require("node:child_process");

const scope = "@SCOPE@";
const isMusl = () => {
  if (process.platform !== "linux") return false;
  const report = process.report && process.report.getReport();
  return !(report && report.header && report.header.glibcVersionRuntime);
};
const base = `${process.platform}-${process.arch}`;
// A static program runs on every Linux, so it is the second choice with glibc too.
const platforms = process.platform === "linux" ? (isMusl() ? [`${base}-musl`] : [base, `${base}-musl`]) : [base];
const file = process.platform === "win32" ? "skc.exe" : "skc";

let program;
for (const platform of platforms) {
  try {
    program = require.resolve(`${scope}${platform}/bin/${file}`);
    break;
  } catch {
    // The next one.
  }
}
if (!program) {
  console.error(`skc: there is no program for ${platforms[0]} here; install the package without --omit=optional`);
  process.exit(1);
}
const run = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`skc: cannot start ${program}: ${run.error.message}`);
  process.exit(1);
}
if (run.signal) process.kill(process.pid, run.signal);
process.exit(run.status === null ? 1 : run.status);
