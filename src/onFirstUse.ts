/** For a module that the start does without: it is loaded when it is first asked for. */
export function onFirstUse<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}
