package node

import (
	"cmp"
	"errors"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
)

type sendConfig struct {
	Encoding       string  `json:"encoding"`
	SkipPreflight  bool    `json:"skipPreflight"`
	Commitment     string  `json:"preflightCommitment"`
	MaxRetries     *uint   `json:"maxRetries"`
	MinContextSlot *uint64 `json:"minContextSlot"`
}

// sendTransaction submits a transaction. Without preflight a node answers with
// the signature of any transaction it can decode, whether or not it lands.
func (c *call) sendTransaction() any {
	var config sendConfig
	c.param(1, false, &config)
	raw, tx := c.transaction(config.Encoding, "base58")
	if config.SkipPreflight {
		config.Commitment = processed
	}
	c.reached(config.Commitment, config.MinContextSlot)
	if !config.SkipPreflight {
		c.getHealth()
		c.onBank(config.Commitment, func() { c.preflight(raw) })
	}
	return c.forward(raw, tx)
}

// forward hands a transaction to a leader. One that is dropped is not reported: the answer
// was the preflight's.
func (c *call) forward(raw []byte, tx *ledger.Transaction) any {
	if c.Config.Network == nil {
		c.Submit(raw)
		return tx.Signatures[0].String()
	}
	c.Relay(sent{c.Chain, raw, tx.Signatures[0], tx.Blockhash})
	return tx.Signatures[0].String()
}

// sent is a transaction on its way to a leader.
type sent struct {
	chain     *build.Chain
	raw       []byte
	signature solana.Signature
	blockhash solana.Hash
}

var _ = snapshot.Keep(sent{})

// Land implements kit.Parcel.
func (s sent) Land() { s.chain.Take(s.raw) }

// Over implements kit.Parcel.
func (s sent) Over() bool {
	return s.chain.Receipt(s.signature) != nil || !s.chain.BlockhashValid(s.blockhash)
}

// preflight simulates and refuses what would fail.
func (c *call) preflight(raw []byte) {
	simulation, err := c.Chain.Simulate(raw, true, false)
	failIf(errors.Is(err, ledger.ErrSignature), signature, "Transaction signature verification failure")
	if err != nil {
		refusePreflight(err, err, nil, 0)
	}
	if simulation.Err != nil {
		refusePreflight(simulation.Err, simulation.Err, simulation.Logs, simulation.Units)
	}
}

func refusePreflight(err error, detail any, logs []string, units uint64) {
	if logs == nil {
		logs = []string{}
	}
	panic(&callError{
		Code: preflight, Message: "Transaction simulation failed: " + err.Error(),
		Data: map[string]any{
			"accounts": nil, "err": detail, "logs": logs, "returnData": nil, "unitsConsumed": units,
			"innerInstructions": nil, "loadedAccountsDataSize": 0, "replacementBlockhash": nil,
		},
	})
}

// transaction decodes the first parameter.
func (c *call) transaction(encoding, standard string) ([]byte, *ledger.Transaction) {
	var text string
	c.param(0, true, &text)
	if encoding == "" {
		encoding = standard
	}
	raw := decoded(text, encoding, versioned)
	return raw, transactionOf(raw)
}

type simulateConfig struct {
	Encoding       string  `json:"encoding"`
	SigVerify      bool    `json:"sigVerify"`
	Replace        bool    `json:"replaceRecentBlockhash"`
	Commitment     string  `json:"commitment"`
	MinContextSlot *uint64 `json:"minContextSlot"`
	Inner          bool    `json:"innerInstructions"`
	Accounts       *struct {
		Encoding  string   `json:"encoding"`
		Addresses []string `json:"addresses"`
	} `json:"accounts"`
}

func (c *call) simulateTransaction() any {
	var config simulateConfig
	c.param(1, false, &config)
	raw, tx := c.transaction(config.Encoding, "base58")
	c.reached(config.Commitment, config.MinContextSlot)
	failIf(config.SigVerify && config.Replace, params, "sigVerify may not be used with replaceRecentBlockhash")
	var value any
	c.onBank(config.Commitment, func() { value = c.simulated(raw, tx, config) })
	return c.inContext(config.Commitment, value)
}

// simulated is the outcome of a transaction on the bank that the ledger is at.
func (c *call) simulated(raw []byte, tx *ledger.Transaction, config simulateConfig) any {
	value := map[string]any{
		"err": nil, "logs": []string{}, "accounts": nil, "unitsConsumed": 0, "returnData": nil,
		"innerInstructions": nil, "loadedAccountsDataSize": 0, "replacementBlockhash": nil,
	}
	if config.Replace {
		hash, last := c.Chain.Blockhash(0)
		value["replacementBlockhash"] = map[string]any{"blockhash": hash.String(), "lastValidBlockHeight": last}
	}
	simulation, err := c.Chain.Simulate(raw, config.SigVerify, config.Replace)
	failIf(errors.Is(err, ledger.ErrSignature), signature, "Transaction signature verification failure")
	if err != nil {
		value["err"] = err
		return value
	}
	value["logs"], value["unitsConsumed"], value["fee"] = simulation.Logs, simulation.Units, simulation.Fee
	value["preBalances"], value["postBalances"] = simulation.Pre, simulation.Post
	value["preTokenBalances"] = tokenBalances(simulation.PreToken)
	value["postTokenBalances"] = tokenBalances(simulation.PostToken)
	if simulation.Err != nil {
		value["err"] = simulation.Err
	}
	if config.Inner {
		value["innerInstructions"] = c.innerOf(simulation.Receipt)
	}
	if config.Accounts != nil {
		value["accounts"] = c.simulatedAccounts(simulation, config, len(tx.Keys))
	}
	return value
}

// simulatedAccounts returns the requested accounts after the simulation, or
// nulls if it failed.
func (c *call) simulatedAccounts(simulation *ledger.Simulation, asked simulateConfig, static int) any {
	addresses := asked.Accounts.Addresses
	encoding := cmp.Or(asked.Accounts.Encoding, "base64")
	failIf(encoding == "base58" || encoding == "binary", params, "base58 encoding not supported")
	most := max(static, len(simulation.Keys)) // with those that tables load
	failIf(len(addresses) > most, params, "Too many accounts provided; max %d", most)
	accounts := make([]any, len(addresses))
	if simulation.Err != nil {
		return accounts
	}
	look := func(key solana.PublicKey) *ledger.Account { return simulation.Touched(c.Chain.Ledger, key) }
	for i, text := range addresses {
		key := addressOf(text)
		accounts[i] = accountJSON(key, look(key), config{Encoding: encoding, look: look})
	}
	return accounts
}
