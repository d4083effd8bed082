// What the probes of both clients share. Each probe is one method of the client, called once
// as its documentation has it, with a check of the answer. A line of JSON is printed for each.

// The program that starts this says in JSON what the sandbox has: see world in main.go.
export const world = JSON.parse(process.env.JUDGE_WORLD);

export function check(holds, what) {
  if (!holds) throw new Error(`wrong: ${what}`);
}

export function same(got, want) {
  const text = (v) => JSON.stringify(v, (_, x) => (typeof x === 'bigint' ? `${x}` : x));
  if (text(got) !== text(want)) throw new Error(`wrong: ${text(got)}, not ${text(want)}`);
}

// late fails after some seconds, and says for what it waited.
export function late(what, seconds = 8) {
  return new Promise((_, refuse) => setTimeout(() => refuse(new Error(`no ${what} in ${seconds} s`)), seconds * 1000).unref());
}

export async function run(client, probes) {
  for (const [name, probe] of Object.entries(probes)) {
    let error = '';
    try {
      await Promise.race([probe(), late('answer', 12)]);
    } catch (cause) {
      error = String(cause?.message ?? cause).split('\n')[0].slice(0, 300) || 'failed';
    }
    process.stdout.write(JSON.stringify({ client, name, error }) + '\n');
  }
  process.exit(0);
}
