package signing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// MinSamples is the fewest transactions that Learn draws on.
const MinSamples = 3

// LearnWarning is in every proposal.
const LearnWarning = "The first sample may already be hostile: a service that was compromised before you asked " +
	"proposes its attacker's program. " +
	"Compare each program id with what the service publishes before you pin it."

// ErrNoSimulator is returned by [Guard.Learn] if the policy has no simulator.
var ErrNoSimulator = errors.New("signing: learning needs a simulator")

// Proposal is the result of Learn, to be read by a person. It pins
// nothing: put the programs into a [Policy].
type Proposal struct {
	Service  string           `json:"service"`
	Samples  int              `json:"samples"`
	Programs []LearnedProgram `json:"programs"`
	Warning  string           `json:"warning"`

	// Calls are what the samples agree on, a pin for each instruction: those that two samples
	// call at least, each with the accounts of the owner's that two of them write.
	Calls []Pin `json:"calls"`
	// Shown are all calls, with how many samples show each. What is odd is not proposed.
	Shown []LearnedCall `json:"shown"`
}

// LearnedCall is an instruction that samples call.
type LearnedCall struct {
	Program     PublicKey     `json:"program"`
	Instruction Discriminator `json:"instruction"` // empty if it has no data, which no pin can name
	Samples     int           `json:"samples"`     // that call it
	Writes      []LearnedRole `json:"writes"`      // accounts of the owner's, by what they are to the intent
	Odd         bool          `json:"odd"`         // too few samples agree on it
}

// LearnedRole is a kind of account that calls write.
type LearnedRole struct {
	Role    Role `json:"role"`
	Samples int  `json:"samples"` // that write one
}

// LearnedProgram is a program that samples call and no rule covers.
type LearnedProgram struct {
	Program PublicKey `json:"program"`
	Samples int       `json:"samples"` // that call it
}

// Pins returns the programs that at least so many samples call.
func (p *Proposal) Pins(samples int) []PublicKey {
	var pins []PublicKey
	for _, learned := range p.Programs {
		if learned.Samples >= samples {
			pins = append(pins, learned.Program)
		}
	}
	return pins
}

// TypedPins returns the calls of the programs that at least so many samples call.
func (p *Proposal) TypedPins(samples int) (typed []Pin) {
	called := p.Pins(samples)
	for _, pin := range p.Calls {
		if slices.Contains(called, pin.Program) {
			typed = append(typed, pin)
		}
	}
	return typed
}

// Learn proposes the programs to pin for a service from several of its
// answers, each of which must pass every rule, simulation included, once the
// programs that it calls are taken as pinned. It signs nothing and pins
// nothing. The error is ErrNoSimulator, a *walletfi.ValidationError for fewer
// than MinSamples different samples, or the refusal of a sample. Samples that differ in their
// blockhashes alone count as one. Vary the requests, so that samples agree for a reason.
func (g *Guard) Learn(ctx context.Context, service string, samples []walletfi.Unsigned) (*Proposal, error) {
	if g.policy.Simulator == nil {
		return nil, ErrNoSimulator
	}
	p := &Proposal{Service: service, Warning: LearnWarning}
	var calls []learnedCall
	seen := map[string]bool{}
	for i, sample := range samples {
		txs, err := DecodeAll(sample)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		build := buildOf(txs)
		if len(txs) == 0 || seen[build] {
			continue
		}
		seen[build] = true
		called := unruled(txs)
		report, err := g.try(ctx, service, sample, called)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		p.count(called)
		calls = append(calls, callsOf(p.Samples, txs, report)...)
	}
	if p.Samples < MinSamples {
		return nil, &walletfi.ValidationError{
			Field:   "samples",
			Problem: fmt.Sprintf("%d different ones, at least %d are needed", p.Samples, MinSamples),
		}
	}
	p.Shown = shown(calls)
	p.Calls = agreed(p.Shown)
	return p, nil
}

// buildOf is the same for builds that differ in their blockhashes alone.
func buildOf(txs []*Transaction) string {
	var parts [][]byte
	for _, tx := range txs {
		parts = append(parts, tx.wire.Unhashed())
	}
	return digestOf("build", parts)
}

// try checks a sample under a policy that pins what it calls.
func (g *Guard) try(
	ctx context.Context, service string, sample walletfi.Unsigned, called []PublicKey,
) (*Report, error) {
	policy := g.policy.clone()
	policy.Pins[service] = append(policy.Pins[service], called...)
	delete(policy.TypedPins, service)
	sample.Intent.Service = service
	guard := NewGuard(policy)
	guard.judge.Policy.Learning = true
	_, report, err := guard.CheckSet(ctx, sample)
	if err == nil && !report.Simulated {
		err = errors.New("not every transaction could be simulated")
	}
	return report, err
}

func (p *Proposal) count(called []PublicKey) {
	p.Samples++
	for _, k := range called {
		i := slices.IndexFunc(p.Programs, func(l LearnedProgram) bool { return l.Program == k })
		if i < 0 {
			p.Programs = append(p.Programs, LearnedProgram{Program: k})
			i = len(p.Programs) - 1
		}
		p.Programs[i].Samples++
	}
}

// unruled lists the programs that transactions call and no rule covers.
func unruled(txs []*Transaction) []PublicKey {
	var called []PublicKey
	for _, tx := range txs {
		for cursor := tx.wire.Instructions(); cursor.Next(); {
			k := tx.wire.Key(int(cursor.Program))
			if program.Lookup(k).Kind == program.Unruled && !slices.Contains(called, PublicKey(*k)) {
				called = append(called, PublicKey(*k))
			}
		}
	}
	return called
}
