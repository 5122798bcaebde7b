import { buildSchema } from 'graphql';
import { elementsOf, removalDay } from '../../packages/usage/elements.ts';
import { faultOf, type Removal } from '../../packages/usage/removals.ts';

/**
 * Says for each removed element why it may not go, with the command that makes the evidence.
 * Elements of a removed type need none, because fields or arguments lead to the type.
 */
export function removalsWithoutEvidence(released: string, current: string, removals: readonly Removal[]): string[] {
  const after = buildSchema(current);
  const left = elementsOf(after);
  const holderOf = (element: string) => element.replace(/\(.*|\.\w+$/, '');
  const isHeld = (holder: string) => left.has(holder) || after.getType(holder) !== undefined;
  const removed = [...elementsOf(buildSchema(released))].filter(
    ([element]) => !left.has(element) && isHeld(holderOf(element)),
  );
  return removed.flatMap(([element, reason]) => {
    const day = removalDay(reason);
    if (!day) return [`${element}: The released schema names no day for its removal: put it back, and deprecate it.`];
    const removal = removals.find((each) => each.element === element);
    const fault = removal ? faultOf(removal, day) : 'There is no evidence that nothing uses it.';
    return fault ? [`${element}: ${fault} Put it back, or run: ${commandFor(element)}`] : [];
  });
}

function commandFor(element: string): string {
  const schema = '--schema schema/released/schema.graphql';
  const evidence = '--evidence schema/released/removals.json';
  return `npm run -s usage -- ${schema} ${evidence} --element '${element}' --prometheus <URL> <manifests of the apps>`;
}
