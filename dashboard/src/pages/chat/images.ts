import type { Attachment } from './turn.ts';

const MOST_IMAGES = 16;
/** A request holds 1 MB, of base64: with room for the text. */
const MOST_CHARACTERS = 900_000;
const taken = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const EDGES = [1_568, 1_024, 640, 320];

const charactersIn = (images: readonly Attachment[]): number =>
  images.reduce((sum, { content }) => sum + content.length, 0);

/** As they are where there is room for them, else smaller. Those of another kind, or too many, are left out. */
export async function attached(
  files: readonly File[],
  already: readonly Attachment[],
): Promise<{ readonly images: readonly Attachment[]; readonly isWhole: boolean }> {
  const images = [...already];
  let isWhole = true;
  for (const file of files) {
    const room = (MOST_CHARACTERS - charactersIn(images)) / Math.max(1, files.length);
    const image = images.length < MOST_IMAGES ? await imageOf(file, room) : undefined;
    if (image) images.push(image);
    else isWhole = false;
  }
  return { images, isWhole };
}

async function imageOf(file: File, room: number): Promise<Attachment | undefined> {
  if (!file.type.startsWith('image/')) return undefined;
  // Whatever it says that it is: what cannot be drawn here, no model can see.
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  if (taken.has(file.type) && (file.size * 4) / 3 < room)
    return { mimeType: file.type, content: await base64(file) };
  for (const edge of EDGES) {
    const blob = await smaller(picture, edge);
    if (blob && (blob.size * 4) / 3 < room) return { mimeType: blob.type, content: await base64(blob) };
  }
  return undefined;
}

async function smaller(picture: ImageBitmap, edge: number): Promise<Blob | undefined> {
  const share = Math.min(1, edge / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * share));
  canvas.height = Math.max(1, Math.round(picture.height * share));
  const drawing = canvas.getContext('2d');
  if (!drawing) return undefined;
  drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', 0.85));
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

export const sourceOf = ({ mimeType, content }: Attachment): string => `data:${mimeType};base64,${content}`;
