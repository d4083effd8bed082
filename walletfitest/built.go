// Package walletfitest makes the answers of the services' builders, for tests of code that takes
// them, without a server and without a client:
//
//	func (f fake) BuildDeposit(
//		_ context.Context, req lending.DepositRequest, _ ...walletfi.CallOption,
//	) (*lending.DepositTransaction, error) {
//		return walletfitest.Built(f.t, req, &lending.DepositTransaction{}), nil
//	}
//
// A guard of [Policy] signs them. The keys of package signingtest are owners; for flows, with a
// ledger and what goes wrong, there is package sandbox.
package walletfitest

import (
	"encoding/binary"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/faking"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// LastValidBlockHeight is that of an answer that names none.
const LastValidBlockHeight = 1000

// Policy returns a policy whose guard signs what Built makes for services, by their names as in
// Intent.Service: it pins [Program] for each, and lets its transactions go unsimulated.
func Policy(services ...string) signing.Policy {
	policy := signing.Policy{Pins: map[string][]signing.PublicKey{}, AllowBlind: services, Unsimulated: services}
	for _, service := range services {
		policy.Pins[service] = []signing.PublicKey{Program(service)}
	}
	return policy
}

// Program returns the program that the transactions of a service call.
func Program(service string) signing.PublicKey { return signingtest.Key(service).PublicKey() }

// Built completes answer as the builder does that answers request with it, and returns it. Its
// Unsigned has the intent of request. Members that are empty are made: transactions that the
// intent's fee payer pays for and that call the service's [Program] for the owner, no two of them
// the same, a blockhash, and [LastValidBlockHeight]. What the intent takes from the answer, such as the least output of
// a swap.Order, is the caller's to set. It fails t if no builder answers so.
func Built[R, A any](t testing.TB, request R, answer *A) *A {
	t.Helper()
	intent, ok := faking.Give(request, answer)
	if !ok {
		t.Fatalf("walletfitest: no builder answers %T with %T", request, answer)
	}
	m := &maker{t: t, intent: intent}
	m.complete(reflect.ValueOf(answer).Elem())
	faking.Give(request, answer) // it may follow from the transactions
	return answer
}

// maker makes what an answer lacks.
type maker struct {
	t      testing.TB
	intent walletfi.Intent
}

// made counts the transactions of the process: a wallet pays the same bytes once.
var made atomic.Uint64

func (m *maker) complete(answer reflect.Value) {
	for _, field := range reflect.VisibleFields(answer.Type()) {
		at := answer.FieldByIndex(field.Index)
		if !field.IsExported() || !at.IsZero() {
			continue
		}
		switch v := at.Addr().Interface().(type) {
		case *walletfi.Base64Transaction:
			*v = m.transaction()
		case *walletfi.Base58Transaction:
			*v = m.base58()
		case *[]walletfi.Base64Transaction:
			*v = []walletfi.Base64Transaction{m.transaction()}
		case *[]walletfi.Base58Transaction:
			*v = []walletfi.Base58Transaction{m.base58()}
		case *string:
			if field.Name == "Blockhash" {
				*v = signingtest.Blockhash
			}
		case *uint64:
			if field.Name == "LastValidBlockHeight" {
				*v = LastValidBlockHeight
			}
		case **uint64:
			if field.Name == "LastValidBlockHeight" {
				*v = new(uint64(LastValidBlockHeight))
			}
		}
	}
}

func (m *maker) transaction() walletfi.Base64Transaction {
	m.t.Helper()
	owner, err := signing.ParsePublicKey(m.intent.Owner)
	if err != nil {
		m.t.Fatalf("walletfitest: the request's owner: %v", err)
	}
	payer := owner
	if m.intent.Sponsor != "" {
		if payer, err = signing.ParsePublicKey(m.intent.Sponsor); err != nil {
			m.t.Fatalf("walletfitest: the request's sponsor: %v", err)
		}
	}
	call := signingtest.Call(Program(m.intent.Service), owner)
	for _, asset := range m.intent.Receive {
		if mint, err := signing.ParsePublicKey(asset.Mint); err == nil {
			account := signing.AssociatedTokenAddress(owner, mint, signing.TokenProgram)
			call.Accounts = append(call.Accounts, signingtest.Account{Key: account, Writable: true})
		}
	}
	call.Data = binary.LittleEndian.AppendUint64(nil, made.Add(1))
	return signingtest.Transaction{FeePayer: payer, Instructions: []signingtest.Instruction{call}}.Unsigned(m.t)
}

func (m *maker) base58() walletfi.Base58Transaction {
	m.t.Helper()
	text, err := m.transaction().Base58()
	if err != nil {
		m.t.Fatalf("walletfitest: %v", err)
	}
	return text
}
