/** Tries each case, and prints what came of it as JSON, by its name. */
export async function cases(all) {
  const results = {};
  for (const [name, run] of Object.entries(all)) {
    try {
      results[name] = { value: await run() };
    } catch (error) {
      results[name] = { error: `${error?.name}: ${error?.message}` };
    }
  }
  process.stdout.write(JSON.stringify(results));
}

/** What an asynchronous list says, as one text. */
export async function joined(pieces) {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
