import '../../look/memory.css';
import './entities.css';
import { useRoute } from 'preact-iso';
import { EntityList } from './entityList.tsx';
import { EntityPage } from './entityPage.tsx';

export default function Entities() {
  const { id } = useRoute().params;
  return id === undefined ? <EntityList /> : <EntityPage key={id} id={id} />;
}
