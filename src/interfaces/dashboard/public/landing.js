const status = document.getElementById('status');
const services = document.getElementById('services');
const form = document.getElementById('key-form');
const key = document.getElementById('key');

async function show() {
  const headers = key.value ? { authorization: `Bearer ${key.value}` } : {};
  try {
    const answer = await fetch('/api/health', { headers });
    const body = await answer.json();
    form.hidden = answer.status !== 401;
    status.textContent = answer.ok ? `The service is ${body.status}.` : (body.message ?? body.error);
    services.replaceChildren(
      ...Object.entries(body.services ?? {}).map(([name, entry]) => {
        const item = document.createElement('li');
        item.textContent = `${name}: ${entry.status}${entry.error ? ` (${entry.error})` : ''}`;
        return item;
      }),
    );
  } catch {
    status.textContent = 'The service does not answer.';
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});
show();
