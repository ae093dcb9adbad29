/** Text with its `code` in elements of their own, made by `make`; a lone backtick stays as it is. */
export function prose(text, make) {
  const pieces = text.split(/`([^`]+)`/);
  return pieces
    .map((piece, index) => (index % 2 === 1 ? make(piece) : piece))
    .filter((piece) => piece !== '');
}
