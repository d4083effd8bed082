package node

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type sendConfig struct {
	Encoding       string  `json:"encoding"`
	SkipPreflight  bool    `json:"skipPreflight"`
	Commitment     string  `json:"preflightCommitment"`
	MaxRetries     *int    `json:"maxRetries"`
	MinContextSlot *uint64 `json:"minContextSlot"`
}

// sendTransaction submits a transaction. Without preflight a node answers with
// the signature of any transaction it can decode, whether or not it lands.
func (c *call) sendTransaction() (any, error) {
	var config sendConfig
	if err := c.param(1, false, &config); err != nil {
		return nil, err
	}
	raw, tx, err := c.transaction(config.Encoding, "base58")
	if err != nil {
		return nil, err
	}
	if config.SkipPreflight {
		config.Commitment = processed
	}
	if err := c.reached(config.Commitment, config.MinContextSlot); err != nil {
		return nil, err
	}
	if !config.SkipPreflight {
		if err := c.preflight(raw); err != nil {
			return nil, err
		}
	}
	// A dropped transaction is not reported: the answer was the preflight's.
	if c.Config.Network == nil {
		c.Submit(raw)
		return tx.Signatures[0].String(), nil
	}
	c.Relay(func() { c.Submit(raw) }, func() bool {
		return c.Receipt(tx.Signatures[0]) != nil || !c.BlockhashValid(tx.Blockhash)
	})
	return tx.Signatures[0].String(), nil
}

// preflight simulates and refuses what would fail.
func (c *call) preflight(raw []byte) error {
	simulation, err := c.Chain.Simulate(raw, true, false)
	if err == nil && c.node.Lag > 0 && !c.BlockhashKnown(simulation.Tx.Blockhash, c.slot()) {
		err = ledger.ErrBlockhash // the node has not reached it
	}
	switch {
	case errors.Is(err, ledger.ErrSignature):
		return &callError{Code: signature, Message: "Transaction signature verification failure"}
	case err != nil:
		return refusedPreflight(err, err, nil, 0)
	case simulation.Err != nil:
		return refusedPreflight(simulation.Err, simulation.Err, simulation.Logs, simulation.Units)
	}
	return nil
}

func refusedPreflight(err error, detail any, logs []string, units uint64) error {
	if logs == nil {
		logs = []string{}
	}
	return &callError{
		Code: preflight, Message: "Transaction simulation failed: " + err.Error(),
		Data: map[string]any{
			"accounts":          nil,
			"err":               detail,
			"logs":              logs,
			"returnData":        nil,
			"unitsConsumed":     units,
			"innerInstructions": nil,
		},
	}
}

// transaction decodes the first parameter.
func (c *call) transaction(encoding, standard string) ([]byte, *ledger.Transaction, error) {
	var text string
	if err := c.param(0, true, &text); err != nil {
		return nil, nil, err
	}
	if encoding == "" {
		encoding = standard
	}
	var raw []byte
	var err error
	switch {
	case len(text) > 5594:
		return nil, nil, fmt.Errorf("%s encoded solana_transaction::versioned::VersionedTransaction too large: %d bytes",
			encoding, len(text))
	case encoding == "base64":
		raw, err = base64.StdEncoding.DecodeString(text)
	case encoding == "base58":
		raw, err = base58.Decode(text)
	default:
		return nil, nil, fmt.Errorf("unsupported encoding: %s. Supported encodings: base58, base64", encoding)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("invalid %s encoding: %v", encoding, err)
	}
	tx, err := ledger.Parse(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to deserialize solana_transaction::versioned::VersionedTransaction: %w", err)
	}
	return raw, tx, nil
}

type simulateConfig struct {
	Encoding       string  `json:"encoding"`
	SigVerify      bool    `json:"sigVerify"`
	Replace        bool    `json:"replaceRecentBlockhash"`
	Commitment     string  `json:"commitment"`
	MinContextSlot *uint64 `json:"minContextSlot"`
	Inner          bool    `json:"innerInstructions"`
	Accounts       *struct {
		Encoding  string             `json:"encoding"`
		Addresses []solana.PublicKey `json:"addresses"`
	} `json:"accounts"`
}

func (c *call) simulateTransaction() (any, error) {
	var config simulateConfig
	if err := c.param(1, false, &config); err != nil {
		return nil, err
	}
	raw, tx, err := c.transaction(config.Encoding, "base58")
	if err != nil {
		return nil, err
	}
	if err := c.reached(config.Commitment, config.MinContextSlot); err != nil {
		return nil, err
	}
	if config.SigVerify && config.Replace {
		return nil, fmt.Errorf("sigVerify may not be used with replaceRecentBlockhash")
	}
	value := map[string]any{
		"err": nil, "logs": []string{}, "accounts": nil, "unitsConsumed": 0, "returnData": nil,
		"innerInstructions": nil, "loadedAccountsDataSize": 0, "replacementBlockhash": nil,
	}
	if config.Replace {
		hash, last := c.Chain.Blockhash(0)
		value["replacementBlockhash"] = map[string]any{"blockhash": hash.String(), "lastValidBlockHeight": last}
	}
	simulation, err := c.Chain.Simulate(raw, config.SigVerify, config.Replace)
	if errors.Is(err, ledger.ErrSignature) {
		return nil, &callError{Code: signature, Message: "Transaction signature verification failure"}
	}
	if err != nil {
		value["err"] = err
		return c.inContext(config.Commitment, value), nil
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
		if value["accounts"], err = c.simulatedAccounts(simulation, config, len(tx.Keys)); err != nil {
			return nil, err
		}
	}
	return c.inContext(config.Commitment, value), nil
}

// simulatedAccounts returns the requested accounts after the simulation, or
// nulls if it failed.
func (c *call) simulatedAccounts(simulation *ledger.Simulation, asked simulateConfig, static int) (any, error) {
	addresses := asked.Accounts.Addresses
	if len(addresses) > static+64 {
		return nil, fmt.Errorf("too many accounts provided; max %d", static)
	}
	encoding := asked.Accounts.Encoding
	if encoding == "" {
		encoding = "base64"
	}
	if encoding == "base58" || encoding == "binary" {
		return nil, fmt.Errorf("base58 encoding not supported")
	}
	accounts := make([]any, len(addresses))
	if simulation.Err != nil {
		return accounts, nil
	}
	for i, key := range addresses {
		var err error
		if accounts[i], err = accountJSON(simulation.Touched(c.Chain.Ledger, key), config{Encoding: encoding}); err != nil {
			return nil, err
		}
	}
	return accounts, nil
}
