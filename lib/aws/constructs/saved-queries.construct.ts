import { type ILogGroup, LogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { FUNCTIONS, namesOf } from '#lib/aws/function-table.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';

export type SavedQueriesProps = { readonly stackName: string; readonly names: ResourceNames };

/** What somebody on duty asks the logs, with a place for what is looked for. */
const QUERIES: Readonly<Record<string, string>> = {
  request: 'request_id = "req_…"',
  trace: 'trace_id = "…"',
  resource: '@message like "pay_…"',
  errors: 'level = "ERROR" or record.status != "success"',
};

/**
 * Queries of CloudWatch Logs Insights over all logs of the stage, ready in the console: whoever looks for a request
 * need not choose among two dozen logs. They cost nothing until they run.
 */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { stackName, names }: SavedQueriesProps) {
    super(scope, id);
    const logGroups: readonly ILogGroup[] = [
      ...namesOf(FUNCTIONS).map((name) => LogGroup.fromLogGroupName(this, name, names.logGroup(name))),
      LogGroup.fromLogGroupName(this, 'access', names.accessLog),
    ];
    for (const [name, filter] of Object.entries(QUERIES))
      new QueryDefinition(this, `${name}-query`, {
        queryDefinitionName: `${stackName}/${name}`,
        logGroups: [...logGroups],
        queryString: new QueryString({
          fields: [
            '@timestamp',
            '@log',
            'message',
            'level',
            'coalesce(route, routeKey) as request_route',
            'status',
            'resource_id',
            'request_id',
            '@message',
          ],
          filterStatements: [filter],
          sort: '@timestamp asc',
          limit: 1_000,
        }),
      });
  }
}
