package observe

import "time"

// Execution is one Execute or ExecuteBundle of a wallet, from the claim of its key to
// its result.
type Execution struct {
	Service      string // that built the transactions: Intent.Service
	Owner        string // base58
	Transactions int
	Bundle       bool
}

// ExecutionEnd is how an [Execution] ended.
type ExecutionEnd struct {
	// State is wallet.State of the set: "confirmed" if all of it is, else the
	// state of the transaction at which it stopped.
	State string
	// Earlier says that the result is an earlier one of the same key: nothing was
	// signed or sent now.
	Earlier bool
	Err     error
}

// Guard is the check of a set, with the signatures if it passes. It runs a second time
// if the block height was too old to decide.
type Guard struct {
	Service      string
	Owner        string // base58
	Transactions int
}

// GuardEnd is how a [Guard] ended.
type GuardEnd struct {
	Rule string // signing.Rule that refused, "" if none did
	Err  error
}

// Sign is one signature by the wallet's signer.
type Sign struct {
	Service string
	Owner   string // base58
}

// SignEnd is how a [Sign] ended.
type SignEnd struct {
	Err error
}

// Submit is one send of signed bytes through one submitter.
type Submit struct {
	Service   string
	Owner     string // base58
	Signature string // base58, of the first transaction; empty if a sponsor signs last
	Door      string // the wallet's name of the submitter
	Number    int    // round of sends by this process: 1 for the first, above it the same bytes again
	Bundle    bool
}

// SubmitEnd is how a [Submit] ended. Success means that the submitter took it.
type SubmitEnd struct {
	Err error
}

// Confirm is the time from the first send of a transaction by this process to a
// verdict, or until the wallet gives up.
type Confirm struct {
	Service   string
	Owner     string // base58
	Signature string // base58, empty if a sponsor signs last
}

// ConfirmEnd is how a [Confirm] ended.
type ConfirmEnd struct {
	State       string        // wallet.State: "confirmed", "failed", "expired", "not_sent", "unknown"
	SinceSigned time.Duration // from the signature to the verdict
	Err         error         // why it is not confirmed
}

// Landing says what an attempt of a wallet's Place offered for landing, and how that went. It comes
// only from a wallet with a policy for fees or tips.
type Landing struct {
	Service  string
	Owner    string        // base58
	Attempt  int           // counted from 1
	State    string        // wallet.State of the set
	Price    uint64        // offered, in micro-lamports per compute unit
	Market   uint64        // the market's price by the policy when it was built, in the same unit
	Lamports uint64        // that what was executed has cost
	Took     time.Duration // since Place was called
}

// Door says that one of several submitters of a wallet lands nothing, or that it lands something
// again. Of the transactions that several are given, each eighth is given to one of them alone at
// first, in turn. One lands nothing if 64 of those in a row have not landed before another one was
// given them, while others landed 16.
type Door struct {
	Name   string // the type, with a number if there are several of it
	Lands  bool
	Trials int // in vain, in a row
}

// Unsettled is the number of keys of a wallet whose outcome is unknown and on which
// it does not work now. It comes when the number may have changed.
type Unsettled struct {
	Wallet string // random, by which several wallets of a process are told apart
	Keys   int
}

func (Execution) operation() {}
func (Guard) operation()     {}
func (Sign) operation()      {}
func (Submit) operation()    {}
func (Confirm) operation()   {}

func (ExecutionEnd) end() {}
func (GuardEnd) end()     {}
func (SignEnd) end()      {}
func (SubmitEnd) end()    {}
func (ConfirmEnd) end()   {}

func (Landing) event()   {}
func (Door) event()      {}
func (Unsettled) event() {}
