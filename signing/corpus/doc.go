// Package corpus makes transactions to hold a signing guard against: malicious
// ones, each with the rule that has to refuse it, and honest ones of the shapes
// that the services build, each with the one change that turns it malicious.
//
//	for _, attack := range corpus.Attacks(corpus.Config{Owner: owner}) {
//		// attack.Unsigned is what a hostile service answers
//	}
//
// Everything is plain data and follows from the owner's key and a seed: the
// same ones, the same transactions. The package knows nothing of package
// signing, so that a mistake there cannot hide behind the same mistake here;
// package hold turns a case into a policy and options of a signing.Guard.
//
// An attack is a technique in a format: legacy, v0, v1, or a set in which an
// honest transaction comes first. It is made so that nothing but its rule
// stands in its way, and so that it pays: where the technique itself takes
// nothing, it opens the door for what rides along. Under another intent than
// its own other rules refuse it, too.
//
// NewLedger says what has to be on a ledger for the cases to be carried out:
// mints, balances and programs.
package corpus
