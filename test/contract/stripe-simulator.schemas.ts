import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

const SPECS = new URL('../../../shared/psp-specs/', import.meta.url);

export const specsThere = existsSync(SPECS);
// biome-ignore lint/style/noProcessEnv: only the build server sets this variable.
export const inCi = Boolean(process.env.CI);

/** The errors of a response under a schema of Stripe's document. */
export function schemaFaults(file: string): (name: string, value: unknown) => readonly string[] {
  const { components } = JSON.parse(readFileSync(new URL(file, SPECS), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'stripe', components: nullable(components) as object });
  return (name, value) => {
    const validate = ajv.getSchema(`stripe#/components/schemas/${name}`);
    if (!validate) return [`no schema ${name}`];
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
  };
}

/** Converts OpenAPI 3.0's `nullable` to JSON Schema. */
function nullable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(nullable);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable: orNull, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, nullable(value)]),
  );
  return orNull === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}
