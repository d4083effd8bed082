package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gagliardetto/solana-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// box is the sandbox, over its node's JSON.
type box struct {
	*sandbox.Sandbox
	client http.Client
}

type rpcError struct {
	Code    int
	Message string
	Data    struct{ Err json.RawMessage }
}

func (e *rpcError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// verdict is the transaction error that a node's refusal stands for.
func (e *rpcError) verdict() json.RawMessage {
	switch {
	case len(e.Data.Err) > 0 && string(e.Data.Err) != "null":
		return e.Data.Err
	case e.Code == -32003:
		return json.RawMessage(`"SignatureFailure"`)
	case e.Code == -32602:
		return malformed
	}
	text, _ := json.Marshal(e.Error())
	return text
}

// malformed is said of bytes that are no transaction, or one whose offsets do not fit. A node
// refuses both with the same code.
var malformed = json.RawMessage(`"Malformed"`)

func startBox(seed uint64) (*box, error) {
	s, err := sandbox.Start(sandbox.Config{Seed: seed, ManualClock: true, NoLimits: true, InstantConfirmation: true})
	if err != nil {
		return nil, err
	}
	return &box{s, http.Client{Transport: s.Transport()}}, nil
}

// call is one request of the node. The error is an rpcError if the node refuses.
func (b *box) call(result any, method string, params ...any) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	answer, err := b.client.Post(b.URL(sandbox.RPC), "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var envelope struct {
		Result json.RawMessage
		Error  *rpcError
	}
	if err := json.NewDecoder(answer.Body).Decode(&envelope); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if envelope.Error != nil {
		return envelope.Error
	}
	return json.Unmarshal(envelope.Result, result)
}

func (b *box) blockhash() (string, error) {
	var r struct{ Value struct{ Blockhash string } }
	err := b.call(&r, "getLatestBlockhash")
	return r.Value.Blockhash, err
}

// send has the node simulate and then execute the transaction without its preflight.
func (b *box) send(wire []byte, signature string) (verdict, error) {
	text := base64.StdEncoding.EncodeToString(wire)
	before := b.Ledger().TransactionStatus(signature).Found
	var v verdict
	var simulated struct {
		Value struct {
			Err           json.RawMessage
			Logs          []string
			UnitsConsumed uint64
		}
	}
	err := b.call(&simulated, "simulateTransaction", text, map[string]any{"encoding": "base64", "sigVerify": true})
	if refused, ok := err.(*rpcError); ok {
		v.Error = refused.verdict()
	} else if err != nil {
		return v, err
	} else {
		v.Error, v.Logs, v.Units = simulated.Value.Err, simulated.Value.Logs, simulated.Value.UnitsConsumed
	}
	var sent string
	err = b.call(&sent, "sendTransaction", text, map[string]any{"encoding": "base64", "skipPreflight": true})
	if _, ok := err.(*rpcError); err != nil && !ok {
		return v, err
	}
	if before || !b.Ledger().TransactionStatus(signature).Found {
		if v.err() == "null" {
			v.Error = json.RawMessage(`"simulated well, but not executed"`)
		}
		return v, nil
	}
	var executed struct {
		Meta struct {
			Err                  json.RawMessage
			LogMessages          []string
			ComputeUnitsConsumed uint64
		}
	}
	err = b.call(&executed, "getTransaction", signature,
		map[string]any{"encoding": "base64", "commitment": "confirmed", "maxSupportedTransactionVersion": 1})
	if err != nil {
		return v, err
	}
	return verdict{Landed: true, Error: executed.Meta.Err, Logs: executed.Meta.LogMessages,
		Units: executed.Meta.ComputeUnitsConsumed}, nil
}

func (b *box) account(k key) *account {
	a, ok := b.Ledger().Account(k.String())
	if !ok || a.Lamports == 0 {
		return nil
	}
	return &account{Key: k.String(), Lamports: a.Lamports, Owner: a.Owner, Data: a.Data}
}

// signatureOf is the first signature of a transaction, base58.
func signatureOf(wire []byte) string {
	at := firstSignature(wire)
	if at < 0 {
		return ""
	}
	return solana.Signature(wire[at : at+64]).String()
}
