// The page that asks for a proof of work (lib/http/wait-page.ts). worker.js is altcha's, unchanged.
const script = document.getElementById("work");
const { challenge: text, seconds, working, done, wait } = script.dataset;
const status = document.getElementById("status");
const progress = document.getElementById("progress");
const challenge = JSON.parse(text);
const MOST_WORKERS = 4;

/** Resolves with the first worker's solution. Each searches its own part of the numbers. */
function solve() {
  const count = Math.min(MOST_WORKERS, Math.max(1, navigator.hardwareConcurrency || 1));
  const workers = Array.from({ length: count }, () => new Worker("/proof-of-work/worker.js"));
  const found = workers.map(
    (worker, counterStart) =>
      new Promise((resolve, reject) => {
        worker.onerror = reject;
        worker.onmessage = ({ data }) => (data && !data.error ? resolve(data) : reject(data?.error));
        worker.postMessage({ type: "work", challenge, counterStart, counterStep: count });
      }),
  );
  return Promise.any(found).finally(() => {
    for (const worker of workers) worker.terminate();
  });
}

/** Without a solution (an old browser, no https) the page opens when the minute is over. */
function waitInstead() {
  progress.hidden = true;
  status.textContent = wait;
  setTimeout(() => location.reload(), Number(seconds) * 1000);
}

async function run() {
  progress.hidden = false;
  status.textContent = working;
  const solution = await solve();
  const answer = await fetch("/api/proof-of-work", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ challenge, solution }),
  });
  if (!answer.ok) throw new Error(String(answer.status));
  status.textContent = done;
  location.reload();
}

if (challenge && crypto.subtle) run().catch(waitInstead);
else waitInstead();
