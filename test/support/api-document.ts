import { describeApi } from '#functions/openapi/describe-api.ts';
import type { ApiDocument } from '#lib/client/operations.ts';

let document: Promise<ApiDocument> | undefined;

/** The API's document of the current routes, as JSON. It is made once per worker: that takes longer than a test. */
export const apiDocument = (): Promise<ApiDocument> => {
  document ??= describeApi().then((described) => JSON.parse(JSON.stringify(described)));
  return document;
};
