/** Runs that are there to be looked at. */

const RUNS = 'api/perfcompare/run';

/** The id of the newest completed run of x86 and arm, of curves or not. */
export async function newest(api, curves) {
  const { data } = await api.get(`${RUNS}?limit=50`);
  for (const { id, state } of data.runs) {
    if (state === 'completed') {
      const { run } = (await api.get(`${RUNS}/${id}?brief=true`)).data;
      const groups = run.plan.groups.map(({ name }) => name);
      const both = ['x86', 'arm'].every((name) => groups.includes(name));
      if (both && Boolean(run.plan.options.curve) === curves) {
        return id;
      }
    }
  }
  return null;
}
