package node

import (
	"encoding/base64"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// cachedRoots is how many finalized blocks a node keeps the statuses of without its
// history. Those of the blocks after them it keeps too.
const cachedRoots = 300

// history refuses what a node that keeps none cannot know.
func (c *call) history() {
	failIf(c.node.HistoryOff, noHistory, "Transaction history is not available from this node")
}

// getSignatureStatuses answers for at most 256 signatures, with what the newest
// processed bank knows.
func (c *call) getSignatureStatuses() any {
	var texts []string
	c.param(0, true, &texts)
	failIf(len(texts) > 256, params, "Too many inputs provided; max 256")
	var config struct {
		Search bool `json:"searchTransactionHistory"`
	}
	c.param(1, false, &config)
	if config.Search {
		c.history()
	}
	statuses := make([]any, len(texts))
	for i, text := range texts {
		commitment, r := c.status(signatureOf(text))
		if r == nil || !config.Search && c.Height(r.Slot)+cachedRoots <= c.Height(c.slotAt(finalized)) {
			continue
		}
		statuses[i] = build.SignatureStatus(commitment, c.slot(), r)
	}
	return c.inContext(processed, statuses)
}

func (c *call) getTransaction() any {
	var text string
	c.param(0, true, &text)
	signature, config := signatureOf(text), c.blockConfigAt(1)
	_, r := c.status(signature)
	if r == nil || r.Tx == nil || r.Slot > c.slotAt(config.Commitment) {
		return nil
	}
	answer := c.landed(r, config)
	answer["slot"], answer["blockTime"] = r.Slot, c.TimeOf(r.Slot).Unix()
	return answer
}

// landed writes a transaction as getTransaction and getBlock do.
func (c *call) landed(r *ledger.Receipt, config blockConfig) map[string]any {
	v := r.Tx.Version
	failIf(v >= 0 && (config.Version == nil || int(*config.Version) < int(v)), newerVersion,
		"Transaction version (%d) is not supported by the requesting client. Please try the request again with "+
			"the following configuration parameter: \"maxSupportedTransactionVersion\": %d", v, v)
	answer := map[string]any{"meta": c.meta(r), "transaction": encodeTransaction(r, config)}
	switch meta := answer["meta"].(map[string]any); {
	case config.Details == accountsOnly:
		for _, member := range []string{"computeUnitsConsumed", "logMessages", "innerInstructions", "loadedAddresses"} {
			delete(meta, member)
		}
	case config.Encoding == jsonParsed:
		meta["innerInstructions"] = inner(r, innerParsed(r))
		delete(meta, "loadedAddresses")
	}
	switch { // a client that knows of no versions gets none
	case r.Tx.Version >= 0:
		answer["version"] = int(r.Tx.Version)
	case config.Version != nil:
		answer["version"] = "legacy"
	}
	return answer
}

// encodeTransaction writes a landed transaction as a request wants it.
func encodeTransaction(r *ledger.Receipt, config blockConfig) any {
	tx := r.Tx
	switch {
	case config.Details == accountsOnly:
		return map[string]any{"signatures": tx.Signatures, "accountKeys": accountKeys(r)}
	case config.Encoding == "base64":
		return []string{base64.StdEncoding.EncodeToString(tx.Raw), config.Encoding}
	case config.Encoding == "base58":
		return []string{base58.Encode(tx.Raw), config.Encoding}
	case config.Encoding == "binary":
		return base58.Encode(tx.Raw)
	case config.Encoding == jsonParsed:
		return parsedTransaction(r)
	}
	instructions := kit.List(tx.Instructions, func(in ledger.Compiled) any { return compiled(in, 1) })
	message := map[string]any{
		"header": map[string]int{
			"numRequiredSignatures": tx.RequiredSignatures, "numReadonlySignedAccounts": tx.ReadonlySigned,
			"numReadonlyUnsignedAccounts": tx.ReadonlyUnsigned,
		},
		"accountKeys": tx.Keys, "recentBlockhash": tx.Blockhash.String(), "instructions": instructions,
	}
	if tx.Version == ledger.V0 {
		message["addressTableLookups"] = lookups(tx)
	}
	return map[string]any{"signatures": tx.Signatures, "message": message}
}

func lookups(tx *ledger.Transaction) any {
	number := func(b byte) int { return int(b) }
	return kit.List(tx.Lookups, func(l ledger.Lookup) any {
		return map[string]any{
			"accountKey":      l.Table,
			"writableIndexes": kit.List(l.Writable, number),
			"readonlyIndexes": kit.List(l.Readonly, number),
		}
	})
}

// parsedTransaction writes a landed transaction with its instructions parsed.
func parsedTransaction(r *ledger.Receipt) any {
	message := map[string]any{
		"accountKeys": accountKeys(r), "recentBlockhash": r.Tx.Blockhash.String(),
		"instructions": kit.List(r.Tx.Instructions, func(in ledger.Compiled) any { return parsedInstruction(r.Keys, in, 1) }),
	}
	if r.Tx.Version == ledger.V0 {
		message["addressTableLookups"] = lookups(r.Tx)
	}
	return map[string]any{"signatures": r.Tx.Signatures, "message": message}
}

// accountKeys lists the accounts of a transaction with their privileges. A program that it
// runs is never writable.
func accountKeys(r *ledger.Receipt) any {
	tx, keys := r.Tx, []any{}
	static := len(tx.Keys)
	for i, key := range r.Keys {
		signs := i < tx.RequiredSignatures
		writable, source := i < static+r.Loaded[0], "lookupTable"
		if i < static {
			writable = signs && i < tx.RequiredSignatures-tx.ReadonlySigned || !signs && i < static-tx.ReadonlyUnsigned
			source = "transaction"
		}
		runs := slices.ContainsFunc(tx.Instructions, func(in ledger.Compiled) bool { return in.Program == i })
		keys = append(keys, map[string]any{
			"pubkey": key, "signer": signs, "writable": writable && !runs, "source": source,
		})
	}
	return keys
}

// compiled writes an instruction with indexes. The transaction's own have depth 1.
func compiled(in ledger.Compiled, depth int) any {
	return map[string]any{
		"programIdIndex": in.Program,
		"accounts":       append([]int{}, in.Accounts...),
		"data":           base58.Encode(in.Data),
		"stackHeight":    depth,
	}
}

// meta is the status metadata of a landed transaction.
func (c *call) meta(r *ledger.Receipt) map[string]any {
	static := len(r.Tx.Keys)
	status := map[string]any{"Ok": nil}
	var failed any
	if r.Err != nil {
		failed, status = r.Err, map[string]any{"Err": r.Err}
	}
	return map[string]any{
		"err": failed, "status": status, "fee": r.Fee, "computeUnitsConsumed": r.Units,
		"preBalances": r.Pre, "postBalances": r.Post, "logMessages": r.Logs,
		"preTokenBalances": tokenBalances(r.PreToken), "postTokenBalances": tokenBalances(r.PostToken),
		"innerInstructions": inner(r, innerCompiled), "rewards": []any{},
		"loadedAddresses": map[string]any{
			"writable": append([]solana.PublicKey{}, r.Keys[static:static+r.Loaded[0]]...),
			"readonly": append([]solana.PublicKey{}, r.Keys[static+r.Loaded[0]:]...),
		},
	}
}

func innerCompiled(in ledger.Inner) any { return compiled(in.Compiled, in.Depth) }

func tokenBalances(balances []ledger.TokenBalance) []any {
	return kit.List(balances, func(b ledger.TokenBalance) any {
		return map[string]any{
			"accountIndex": b.Index, "mint": b.Mint, "owner": b.Owner, "programId": b.Program,
			"uiTokenAmount": uiAmount(b.Amount, b.MintDecimals),
		}
	})
}
