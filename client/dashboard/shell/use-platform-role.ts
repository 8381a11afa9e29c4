import { useQuery } from '#client/dashboard/api/use-query.ts';

/** The person's role on the platform. Undefined: none, or not known yet. Most people have none and get a refusal. */
export const usePlatformRole = () =>
  useQuery(['platform-me'], (api, options) => api.platform.getMe({}, options)).data?.role ?? undefined;
