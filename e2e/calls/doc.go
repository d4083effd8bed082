// Package calls makes each of the 154 calls against a sandbox once and records what was
// asked and answered, so that a test can make a call again with another answer. It is
// material of tests.
//
//	for _, r := range calls.Record(t, 1) {
//		got, err := r.Answered(t.Context(), spoiled(r.Exchanges[0].Body))
//	}
package calls
