package node

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func (c *call) getHealth() (any, error) { return "ok", nil }

func (c *call) getVersion() (any, error) {
	return map[string]any{"solana-core": nodeVersion, "feature-set": 3604001754}, nil
}

func (c *call) getSlot() (any, error) {
	config, err := c.configAt(0)
	return c.slotAt(config.Commitment), err
}

func (c *call) getBlockHeight() (any, error) {
	config, err := c.configAt(0)
	return c.heightAt(config.Commitment), err
}

// slotsInEpoch is the length of an epoch on mainnet.
const slotsInEpoch = 432_000

func (c *call) getEpochInfo() (any, error) {
	config, err := c.configAt(0)
	slot := c.slotAt(config.Commitment)
	return map[string]any{
		"absoluteSlot": slot, "blockHeight": c.heightAt(config.Commitment), "epoch": slot / slotsInEpoch,
		"slotIndex": slot % slotsInEpoch, "slotsInEpoch": slotsInEpoch, "transactionCount": nil,
	}, err
}

func (c *call) getLatestBlockhash() (any, error) {
	config, err := c.configAt(0)
	if err != nil {
		return nil, err
	}
	hash, last := c.Chain.Blockhash(c.CurrentSlot() - c.slotAt(config.Commitment))
	return c.inContext(config.Commitment, map[string]any{"blockhash": hash.String(), "lastValidBlockHeight": last}), nil
}

func (c *call) isBlockhashValid() (any, error) {
	var text string
	if err := c.param(0, true, &text); err != nil {
		return nil, err
	}
	hash, err := solana.HashFromBase58(text)
	if err != nil {
		return nil, fmt.Errorf("blockhash: %w", err)
	}
	config, err := c.configAt(1)
	return c.inContext(config.Commitment, c.BlockhashKnown(hash, c.slotAt(config.Commitment))), err
}

func (c *call) getMinimumBalanceForRentExemption() (any, error) {
	var space int
	if err := c.param(0, true, &space); err != nil {
		return nil, err
	}
	if space < 0 {
		return nil, fmt.Errorf("a negative size")
	}
	return ledger.Rent(space), nil
}

// getSignatureStatuses answers for at most 256 signatures. Without
// searchTransactionHistory a node knows the last 150 slots or so.
func (c *call) getSignatureStatuses() (any, error) {
	var texts []string
	if err := c.param(0, true, &texts); err != nil {
		return nil, err
	}
	if len(texts) > 256 {
		return nil, fmt.Errorf("too many inputs provided; max 256")
	}
	var config struct {
		Search bool `json:"searchTransactionHistory"`
	}
	if err := c.param(1, false, &config); err != nil {
		return nil, err
	}
	statuses := make([]any, len(texts))
	for i, text := range texts {
		signature, err := solana.SignatureFromBase58(text)
		if err != nil {
			return nil, fmt.Errorf("invalid param: %q is not a signature", text)
		}
		commitment, r := c.status(signature)
		if r == nil || !config.Search && c.slot() > r.Slot+ledger.HashLifetime {
			continue
		}
		statuses[i] = build.SignatureStatus(commitment, c.slot(), r)
	}
	return c.inContext("processed", statuses), nil
}

func (c *call) getTransaction() (any, error) {
	var text string
	if err := c.param(0, true, &text); err != nil {
		return nil, err
	}
	signature, err := solana.SignatureFromBase58(text)
	if err != nil {
		return nil, fmt.Errorf("invalid param: %q is not a signature", text)
	}
	config := struct {
		Encoding   string `json:"encoding"`
		Commitment string `json:"commitment"`
		Version    *int   `json:"maxSupportedTransactionVersion"`
	}{Encoding: "json"}
	if len(c.params) > 1 && len(c.params[1]) > 0 && c.params[1][0] == '"' {
		err = c.param(1, false, &config.Encoding)
	} else {
		err = c.param(1, false, &config)
	}
	if err != nil {
		return nil, err
	}
	_, r := c.status(signature)
	if r == nil || r.Tx == nil || r.Slot > c.slotAt(config.Commitment) {
		return nil, nil
	}
	if v := r.Tx.Version; v >= 0 && (config.Version == nil || *config.Version < int(v)) {
		return nil, &callError{Code: -32015, Message: fmt.Sprintf(
			"Transaction version (%d) is not supported by the requesting client. Please try the request again with the following configuration parameter: \"maxSupportedTransactionVersion\": %d", v, v)}
	}
	encoded, err := encodeTransaction(r.Tx, config.Encoding)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{"slot": r.Slot, "blockTime": r.Time.Unix(), "transaction": encoded, "meta": c.meta(r), "version": "legacy"}
	if r.Tx.Version >= 0 {
		answer["version"] = int(r.Tx.Version)
	}
	return answer, nil
}
