import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly about: string;
  readonly secret: string;
  /** What the button says by which it goes away. */
  readonly done: string;
  readonly onClose: () => void;
}

/** A secret that the service tells this one time. It lies nowhere in the page once this is closed. */
export function ShownOnce({ title, about, secret, done, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      <pre>
        <code>{secret}</code>
      </pre>
      <div class="actions end">
        <button type="button" class="main" onClick={onClose}>
          {done}
        </button>
      </div>
    </Dialog>
  );
}
