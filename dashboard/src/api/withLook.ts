/** By their address. Those of the page itself hold up its script, and so are there. */
const looks = new Map<string, Promise<void>>(
  Array.from(document.querySelectorAll('link[rel=stylesheet]'), (link) => [
    link.getAttribute('href') ?? '',
    Promise.resolve(),
  ]),
);

/** Loads a part of the page, and the look of it: Vite puts this in the place of each `import()`. */
export async function withLook<Part>(
  load: () => Promise<Part>,
  files: readonly string[] = [],
): Promise<Part> {
  const [part] = await Promise.all([load(), ...files.map((file) => look(`/${file}`))]);
  return part;
}

function look(file: string): Promise<void> {
  const known = looks.get(file) ?? added(file);
  looks.set(file, known);
  return known;
}

function added(file: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = file;
  link.onload = () => resolve();
  link.onerror = () => {
    looks.delete(file);
    link.remove();
    reject(new Error(`${file} does not come`));
  };
  document.head.append(link);
  return promise;
}
