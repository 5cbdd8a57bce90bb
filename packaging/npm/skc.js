#!/usr/bin/env node
// Starts the program of the package for this platform.
"use strict";
const { spawnSync } = require("node:child_process");

const scope = "@SCOPE@";
const base = `${process.platform}-${process.arch}`;
// The static program runs on every Linux; the other needs a glibc that is new enough.
const hasNewGlibc = () => {
  const report = process.report && process.report.getReport();
  const version = report && report.header && report.header.glibcVersionRuntime;
  return Boolean(version) && Number(version.split(".")[1]) >= @GLIBC_MINOR@;
};
const onLinux = () => (hasNewGlibc() ? [base, `${base}-musl`] : [`${base}-musl`]);
const platforms = process.platform === "linux" ? onLinux() : [base];
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
