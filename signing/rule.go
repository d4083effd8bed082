package signing

// Rule names one rule of the guard. Each refusal carries the rule that it
// stands on.
type Rule string

// The envelope: what holds whatever the instructions are.
const (
	// RuleEncoding: strict base64 or base58, a size that the format allows,
	// nothing after the last field, lengths in their shortest form, one
	// signature slot a required signer.
	RuleEncoding Rule = "G1"
	// RuleVersion: legacy, v0 or v1.
	RuleVersion Rule = "G2"
	// RuleSanity: what every node checks before it runs a transaction: indexes
	// in range, a writable fee payer, no key twice, no table that loads nothing.
	RuleSanity Rule = "G3"
	// RuleSigners: who pays the fee and who else signs.
	RuleSigners Rule = "G4"
	// RuleLifetime: the blockhash and the height at which it ends.
	RuleLifetime Rule = "G5"
	// RuleLookup: a recipient that only a lookup table names, and no resolver
	// resolved.
	RuleLookup Rule = "G6"
	// RuleSet: caps hold over all transactions of a set together.
	RuleSet Rule = "G7"
	// RuleTip: a recipient whom nobody named gets at most the tip, or at most
	// the service's fee, once a transaction each.
	RuleTip Rule = "G8"
)
