import { describe, expect, it } from 'vitest';
import { namesOf } from '#lib/aws/function-table.ts';
import { TABLE_RIGHTS, type TableRights } from '#lib/aws/table-rights.ts';
import { idOf, listOf, type Properties, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

/** What AWS allows the inline policies of a role together, without white space. */
const MAX_POLICY_LENGTH = 10_240;

/** About as long as the longest of them: an account, a region or an ARN that CloudFormation fills in. */
const FILLED_IN = 'x'.repeat(60);

type Statement = { readonly action: string; readonly resource: string; readonly families: readonly string[] };

/** The policies of a function's role. */
function policiesOf(stack: Synthesized, name: string): Properties[] {
  const ids = Object.entries(stack.of('AWS::IAM::Role'))
    .filter(([, { Properties: p }]) => p.RoleName && textOf(p.RoleName) === `${stack.name}-<AWS::Region>-${name}`)
    .map(([id]) => id);
  return Object.values(stack.of('AWS::IAM::Policy'))
    .map(({ Properties: p }) => p)
    .filter(({ Roles }) => listOf(Roles).some((role) => ids.includes(idOf(role))))
    .map(({ PolicyDocument }) => PolicyDocument);
}

/** What a role may do with items, one line for each action and resource. Streams have statements of their own. */
function tableStatements(stack: Synthesized, name: string): Statement[] {
  return policiesOf(stack, name)
    .flatMap(({ Statement }) => Statement)
    .flatMap(({ Action, Resource, Condition }: Properties) =>
      listOf(Action).flatMap((action) =>
        listOf(Resource).map((resource) => ({
          action,
          resource: textOf(resource).replace(/^.*:table\//, ''),
          families: Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [],
        })),
      ),
    )
    .filter(
      ({ action, resource }) => action.startsWith('dynamodb:') && !/Stream|Shard|Records/.test(action + resource),
    );
}

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  get: ['GetItem', 'BatchGetItem'],
  query: ['Query'],
  put: ['PutItem'],
  update: ['UpdateItem'],
  delete: ['DeleteItem'],
  check: ['ConditionCheckItem'],
};

const patterns = (families: readonly string[]) =>
  families.map((family) => (/[#_]$/.test(family) ? `${family}*` : family));

function expected(table: string, { index = {}, ...acts }: TableRights): Statement[] {
  const ofItems = Object.entries(acts).flatMap(([act, families]) =>
    (ACTIONS[act] ?? []).map((action) => ({
      action: `dynamodb:${action}`,
      resource: table,
      families: patterns(families),
    })),
  );
  const ofIndexes = Object.entries(index).map(([name, families]) => ({
    action: 'dynamodb:Query',
    resource: `${table}/index/${name}`,
    families: patterns(families),
  }));
  return [...ofItems, ...ofIndexes];
}

const inOrder = (statements: readonly Statement[]) =>
  statements.map(({ families, ...each }) => JSON.stringify({ ...each, families: [...families].sort() })).sort();

export function tableRightsContract(stack: () => Synthesized): void {
  describe('the rights on the table', () => {
    it.each(namesOf(TABLE_RIGHTS))('of %s are those of its line, by act and by the beginning of the keys', (name) => {
      expect(inOrder(tableStatements(stack(), name))).toEqual(
        inOrder(expected(`${stack().name}-table`, TABLE_RIGHTS[name])),
      );
    });

    it('name the beginning of the keys in every statement', () => {
      const open = namesOf(TABLE_RIGHTS).flatMap((name) =>
        tableStatements(stack(), name).filter(({ families }) => families.length === 0 || families.includes('*')),
      );
      expect(open).toEqual([]);
    });

    it.each(namesOf(TABLE_RIGHTS))('of %s fit into a role, with everything else that it may do', (name) => {
      const text = policiesOf(stack(), name)
        .map((document) => JSON.stringify(filledIn(document)))
        .join('');
      expect(text.length).toBeGreaterThan(100);
      expect(text.length).toBeLessThanOrEqual(MAX_POLICY_LENGTH);
    });
  });
}

/** The document as IAM gets it, with placeholders for what CloudFormation fills in. */
function filledIn(value: Properties): unknown {
  if (Array.isArray(value)) return value.map(filledIn);
  if (typeof value !== 'object' || value === null) return value;
  if (value.Ref ?? value['Fn::GetAtt'] ?? value['Fn::Join']) return textOf(value).replace(/<[^>]+>/g, FILLED_IN);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledIn(inner)]));
}
