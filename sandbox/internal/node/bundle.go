package node

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// maxBundle is how many transactions a node of the Jito kind simulates at once.
const maxBundle = 20

type bundleRequest struct {
	Transactions []string `json:"encodedTransactions"`
}

// bundleConfig names the accounts to show before and after each transaction.
type bundleConfig struct {
	Before     []*watched      `json:"preExecutionAccountsConfigs"`
	After      []*watched      `json:"postExecutionAccountsConfigs"`
	Encoding   string          `json:"transactionEncoding"`
	Bank       json.RawMessage `json:"simulationBank"`
	SkipVerify bool            `json:"skipSigVerify"`
	Replace    bool            `json:"replaceRecentBlockhash"`
}

type watched struct {
	Encoding  string   `json:"encoding"`
	Addresses []string `json:"addresses"`
}

// bundleResult says what became of one transaction, without its inner instructions.
type bundleResult struct {
	Err    any      `json:"err"`
	Logs   []string `json:"logs"`
	Before []any    `json:"preExecutionAccounts"`
	After  []any    `json:"postExecutionAccounts"`
	Units  *uint64  `json:"unitsConsumed"`
	Return any      `json:"returnData"`
}

// simulateBundle runs transactions one after another, on what the ones before leave, up
// to the first that fails.
func (c *call) simulateBundle() any {
	failIf(c.node.BundlesOff, noMethod, "Method not found")
	raws, transactions, config := c.bundle()
	slot := c.bankOf(config.Bank)
	var value any
	c.AsOf(slot, func() { value = c.simulatedBundle(raws, transactions, config) })
	return inSlot(slot, value)
}

func (c *call) simulatedBundle(raws [][]byte, transactions []*ledger.Transaction, config bundleConfig) any {
	results := make([]bundleResult, 0, len(raws))
	simulated, refused := c.SimulateAll(raws, !config.SkipVerify, config.Replace, func(i int, after bool) {
		if !after {
			results = append(results, bundleResult{Before: c.shown(config.Before[i])})
			return
		}
		results[i].After = c.shown(config.After[i])
	})
	summary := any("succeeded")
	for i, s := range simulated {
		results[i].Logs, results[i].Units = s.Logs, &s.Units
		if s.Err != nil {
			results[i].Err = s.Err
			summary = failedBundle(transactions[i], s.Err)
		}
	}
	if refused != nil {
		last := len(results) - 1
		results[last].Err, summary = refused, failedBundle(transactions[last], refused)
	}
	return map[string]any{"summary": summary, "transactionResults": results}
}

func failedBundle(tx *ledger.Transaction, err error) any {
	signature := tx.Signatures[0].String()
	return map[string]any{"failed": map[string]any{
		"error": map[string]any{"TransactionFailure": []string{signature, err.Error()}}, "tx_signature": signature,
	}}
}

// bundle reads the parameters.
func (c *call) bundle() (raws [][]byte, transactions []*ledger.Transaction, config bundleConfig) {
	var request bundleRequest
	c.param(0, true, &request)
	n := len(request.Transactions)
	config.Before, config.After = make([]*watched, n), make([]*watched, n)
	c.param(1, false, &config)
	failIf(n == 0, params, "bundles must have at least one transaction")
	failIf(n > maxBundle, params, "bundle size too large, max %d transactions", maxBundle)
	failIf(len(config.Before) != n || len(config.After) != n, params,
		"pre/post_execution_accounts_configs must be equal in length to the number of transactions")
	failIf(config.Encoding != "" && config.Encoding != "base64", params,
		"Base64 is the only supported encoding for transactions")
	failIf(!config.SkipVerify && config.Replace, params, "sigVerify may not be used with replaceRecentBlockhash")
	var signatures []solana.Signature
	for _, text := range request.Transactions {
		raw := decoded(text, "base64", versioned)
		tx := transactionOf(raw)
		failIf(slices.Contains(signatures, tx.Signatures[0]), params, "duplicate transactions")
		raws, transactions = append(raws, raw), append(transactions, tx)
		signatures = append(signatures, tx.Signatures[0])
	}
	return raws, transactions, config
}

// bankOf is the slot of the bank to run on: that of a commitment, confirmed if none is named, a
// slot, or "tip", the newest.
func (c *call) bankOf(given json.RawMessage) uint64 {
	var tip string
	var bank struct {
		Slot       *uint64 `json:"slot"`
		Commitment *config `json:"commitment"`
	}
	if given == nil || bytes.Equal(given, null) {
		return c.slotAt(confirmed)
	}
	if json.Unmarshal(given, &tip) == nil {
		badIf(tip != "tip", "unknown variant `%s`, expected one of `commitment`, `slot`, `tip`", tip)
		return c.slot()
	}
	err := json.Unmarshal(given, &bank)
	badIf(err != nil, "%v", mistyped(given, err))
	badIf((bank.Slot == nil) == (bank.Commitment == nil), "expected map with a single key")
	if bank.Slot == nil {
		oneOf(kit.MustJSON(bank.Commitment.Commitment), enums["CommitmentLevel"])
		return c.slotAt(bank.Commitment.Commitment)
	}
	slot := *bank.Slot
	failIf(slot < c.slotAt(finalized) || slot > c.slot() || c.BlockAt(slot) != slot, params,
		"bank not found for the provided slot: %d", slot)
	return slot
}

// shown writes accounts as they are now. Of one that does not exist it writes an empty
// one.
func (c *call) shown(of *watched) []any {
	if of == nil {
		return nil
	}
	failIf(of.Encoding != "" && of.Encoding != "base64", params, "Base64 is the only supported encoding for accounts")
	return kit.List(of.Addresses, func(text string) any {
		key, err := solana.PublicKeyFromBase58(text)
		failIf(err != nil, params, "invalid pubkey for pre/post accounts provided: %s", text)
		account := c.Account(key)
		if account == nil {
			account = &ledger.Account{Owner: solana.SystemProgramID}
		}
		return accountJSON(key, account, config{Encoding: "base64"})
	})
}
