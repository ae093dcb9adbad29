import { useRoute } from 'preact-iso';
import { Belief } from './belief.tsx';
import { Search } from './search.tsx';

export default function Why() {
  const { id } = useRoute().params;
  return id === undefined ? <Search /> : <Belief key={id} id={id} />;
}
