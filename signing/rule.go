package signing

// Rule names one rule of the guard. Each [GuardError] carries its rule.
type Rule string

// The envelope: rules that do not depend on the instructions.
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
	// RuleSigners: the fee payer and the other signers.
	RuleSigners Rule = "G4"
	// RuleLifetime: the blockhash and the height at which it ends.
	RuleLifetime Rule = "G5"
	// RuleLookup: a recipient that only a lookup table names, and no resolver
	// resolved.
	RuleLookup Rule = "G6"
	// RuleSet: caps hold over all transactions of a set together.
	RuleSet Rule = "G7"
	// RuleTip: a recipient that neither intent nor policy names gets at most the
	// tip or the service's fee, each once per transaction.
	RuleTip Rule = "G8"
	// RuleArrival: something in the set can deliver what the intent expects.
	RuleArrival Rule = "G9"
	// RuleTooComplex: whether the caps hold can be found out in a bounded number
	// of steps.
	RuleTooComplex Rule = "too.complex"
	// RuleBlind: what a pinned program does to an account of ours was simulated, or
	// [Policy.AllowBlind] names the service.
	RuleBlind Rule = "blind"
	// RuleApproval: [Guard.SignApproved] signs only what was approved.
	RuleApproval Rule = "approval"
)

// The System program.
const (
	RuleSystemTransfer Rule = "system.transfer" // lamports go to ours, to a named destination, or as a tip or fee
	RuleSystemCreate   Rule = "system.create"   // a new account is a token account of the owner's or a pinned program's
	RuleSystemAssign   Rule = "system.assign"   // no account of ours is assigned or allocated
	RuleSystemNonce    Rule = "system.nonce"    // a durable nonce only where the caller opted in
	RuleSystemUnknown  Rule = "system.unknown"  // an instruction without a rule, or malformed
)

// The two token programs.
const (
	RuleTokenTransfer   Rule = "token.transfer"   // within the intent's spend, from an account whose mint is known
	RuleTokenApprove    Rule = "token.approve"    // within the spend, to a named delegate or revoked again
	RuleTokenAuthority  Rule = "token.authority"  // no authority is handed over
	RuleTokenClose      Rule = "token.close"      // lamports come back to ours, rent also to a sponsor
	RuleTokenBurn       Rule = "token.burn"       // within the intent's burn
	RuleTokenInitialize Rule = "token.initialize" // a new token account belongs to the owner
	RuleTokenMint       Rule = "token.mint"       // a mint only of an account that this transaction creates
	RuleTokenBatch      Rule = "token.batch"      // a batch is well formed and holds no batch
	RuleTokenUnknown    Rule = "token.unknown"    // an instruction without a rule, or malformed
)

// The other programs.
const (
	RuleAssociatedToken  Rule = "ata.create"        // a well-formed create of a token program's account
	RuleRent             Rule = "rent"              // rent of new accounts within its cap
	RuleComputeBudget    Rule = "budget.set"        // each setting once, and known
	RuleNetworkFee       Rule = "budget.fee"        // base and priority fee within their cap
	RuleDeniedProgram    Rule = "program.denied"    // stake, vote, loaders, lookup tables
	RuleUnknownProgram   Rule = "program.unknown"   // neither ruled nor pinned
	RulePinnedCall       Rule = "program.pinned"    // an instruction and accounts of ours that a [Pin] names
	RuleProtectedAccount Rule = "program.protected" // an account that the caller protects may be written
)

// What only a simulation shows.
const (
	RuleSimulationFailed    Rule = "simulation.failed"    // it would fail
	RuleSimulationSpend     Rule = "simulation.spend"     // more leaves than the intent allows
	RuleSimulationArrival   Rule = "simulation.arrival"   // less arrives than the intent expects
	RuleSimulationAuthority Rule = "simulation.authority" // an authority over an account of ours changes
)
