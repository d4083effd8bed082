// Package flows asks every builder of every service on a sandbox for a transaction, and
// signs and lands what it answers, under the guard. It is material of tests.
//
//	s := flows.Start(t, sandbox.Config{NoLimits: true})
//	for _, b := range flows.Builders(t, s) {
//		u, err := b.Build(t.Context())
//		require.NoError(t, err)
//		flows.Land(t, s, u)
//	}
//
// [Options] makes a client speak the deployment of its sandbox, such as [Renamed], in
// which everything has another name.
package flows
