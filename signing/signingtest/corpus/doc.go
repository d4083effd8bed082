// Package corpus makes transactions to test a signing guard with: attacks, each
// with the rule that has to refuse it, and honest transactions of the shapes
// that the services build, each with the one change that turns it malicious.
//
//	for _, attack := range corpus.Attacks(corpus.Config{Owner: owner}) {
//		_, _, err := hold.Guard(attack.Case).SignSet(ctx, attack.Unsigned, key, hold.Options(attack.Case)...)
//		// err is a *signing.GuardError of attack.Rule
//	}
//
// [Attacks] and [Benigns] are plain data and follow from the owner's key and a
// seed: the same key and seed make the same transactions. The package does not
// import package signing, so that the same mistake in both cannot hide; package
// hold turns a case into a policy and options of a signing.Guard.
//
// An attack is a technique in a format: legacy, v0, v1, or a set in which an
// honest transaction comes first. Only its rule refuses it. It also pays: if the
// technique itself takes nothing, it prepares the theft that rides along. Under
// another intent other rules may refuse it, too.
//
// [NewLedger] lists the mints, balances and programs that a ledger needs to
// execute the cases.
package corpus
