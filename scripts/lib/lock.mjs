import { readFileSync, rmSync, writeFileSync } from "node:fs";

export function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  try {
    const holder = Number(readFileSync(file, "utf8"));
    // A holder that was killed cannot give it back.
    if (holder && !alive(holder)) rmSync(file, { force: true });
  } catch {
    // It was given back in between: the next try takes it.
  }
  return false;
}

export async function withLock(file, waiting, work) {
  for (let tries = 0; !take(file); tries++) {
    if (tries === 2) waiting();
    await new Promise((done) => setTimeout(done, 250));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
