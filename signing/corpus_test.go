package signing_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// corpusKey owns the corpus's wallet.
func corpusKey(t testing.TB) *signing.LocalKey {
	t.Helper()
	seed := sha256.Sum256([]byte("owner of the corpus"))
	key, err := signing.NewLocalKeyFromSeed(seed[:])
	require.NoError(t, err)
	return key
}

func corpusConfig(t testing.TB) corpus.Config {
	return corpus.Config{Owner: corpusKey(t).PublicKey(), Seed: 1}
}

// matrix counts attacks by rule and format.
type matrix map[string]map[corpus.Format]int

func (m matrix) add(rule string, format corpus.Format) {
	if m[rule] == nil {
		m[rule] = map[corpus.Format]int{}
	}
	m[rule][format]++
}

func (m matrix) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-22s", "rule")
	for _, f := range corpus.Formats() {
		fmt.Fprintf(&b, "%8s", f)
	}
	for _, rule := range signing.Rules {
		fmt.Fprintf(&b, "\n%-22s", rule)
		for _, f := range corpus.Formats() {
			fmt.Fprintf(&b, "%8d", m[string(rule)][f])
		}
	}
	return b.String()
}

// impossible are the cells of the matrix that no attack can fill.
func impossible(rule signing.Rule, format corpus.Format) bool {
	switch rule {
	case signing.RuleLookup:
		return format != corpus.V0 && format != corpus.Set // no other format has tables
	case signing.RuleSet, signing.RuleTooComplex: // a single transaction is soon matched
		return format != corpus.Set
	}
	return false
}

func TestCorpus(t *testing.T) {
	refused, accepted, filled := 0, 0, matrix{}
	for _, attack := range corpus.Attacks(corpusConfig(t)) {
		if assertRefused(t, attack.Case, attack.Rule) {
			refused++
			filled.add(attack.Rule, attack.Format)
		}
	}
	twins := map[string]int{}
	for _, benign := range corpus.Benigns(corpusConfig(t)) {
		if assertSigned(t, benign.Case) && assertRefused(t, benign.Spoiled, benign.Rule) {
			accepted++
			twins[benign.Rule]++
		}
	}
	t.Logf("%d attacks refused, %d benign accepted", refused, accepted)
	t.Log(filled)
	assert.GreaterOrEqual(t, refused, 200)
	assert.GreaterOrEqual(t, accepted, 200)
	for _, rule := range signing.Rules {
		assert.Positive(t, twins[string(rule)], "no honest twin is spoiled by %s", rule)
		for _, format := range corpus.Formats() {
			assert.Equal(t, impossible(rule, format), filled[string(rule)][format] == 0, "%s in %s", rule, format)
		}
	}
}

// assertRefused holds the default way to sign against a case.
func assertRefused(t *testing.T, c corpus.Case, rule string) bool {
	t.Helper()
	txs, report, err := hold.Guard(c).SignSet(t.Context(), c.Unsigned, corpusKey(t), hold.Options(c)...)
	refusal, ok := errors.AsType[*signing.GuardError](err)
	if !assert.True(t, ok, "%s: signed, or failed with %v\n%s", c.Name, err, report) {
		return false
	}
	assert.NotEmpty(t, refusal.Found, c.Name)
	assert.NotEmpty(t, refusal.Allowed, "%s: what would have passed", c.Name)
	return assert.Empty(t, txs, c.Name) && assert.Equal(t, rule, string(refusal.Rule), "%s: %v", c.Name, refusal)
}

func assertSigned(t *testing.T, c corpus.Case) bool {
	t.Helper()
	key := corpusKey(t)
	txs, _, err := hold.Guard(c).SignSet(t.Context(), c.Unsigned, key, hold.Options(c)...)
	if !assert.NoError(t, err, c.Name) {
		return false
	}
	for _, tx := range txs {
		for i, signer := range tx.Signers() {
			if signer == key.PublicKey() && !assert.True(t, tx.Signatures()[i].Verify(signer, tx.Message()), c.Name) {
				return false
			}
		}
	}
	return true
}

// TestCorpusCasesDiffer: no case is another one under a second name.
func TestCorpusCasesDiffer(t *testing.T) {
	seen, names := map[string]string{}, map[string]bool{}
	for _, c := range corpusCases(t) {
		assert.False(t, names[c.Name], "two cases are called %s", c.Name)
		names[c.Name] = true
		same := fmt.Sprint(c.Unsigned, c.Policy, c.BlockHeight, c.Nonce)
		if other, ok := seen[same]; ok {
			t.Errorf("%s is %s", c.Name, other)
		}
		seen[same] = c.Name
	}
	t.Logf("%d cases, each different", len(seen))
}

func corpusCases(t *testing.T) (all []corpus.Case) {
	for _, attack := range corpus.Attacks(corpusConfig(t)) {
		all = append(all, attack.Case)
	}
	for _, benign := range corpus.Benigns(corpusConfig(t)) {
		all = append(all, benign.Case, benign.Spoiled)
	}
	return all
}

// TestCorpusFollowsFromItsConfig: the same key and seed make the same cases,
// another seed others, and every seed good ones.
func TestCorpusFollowsFromItsConfig(t *testing.T) {
	config := corpusConfig(t)
	first, again := corpus.Attacks(config), corpus.Attacks(config)
	require.Equal(t, first, again)
	require.Equal(t, fmt.Sprint(corpus.Benigns(config)[7].Case), fmt.Sprint(corpus.Benigns(config)[7].Case))
	config.Seed = 2
	other := corpus.Attacks(config)
	require.Len(t, other, len(first))
	for i := range other {
		require.Equal(t, first[i].Name, other[i].Name)
		if attack := other[i]; attack.Technique != "nothing at all" && attack.Technique != "base58 longer than any" {
			require.NotEqual(t, first[i].Unsigned, attack.Unsigned, attack.Name)
		}
	}
	for seed := range uint64(5) {
		config.Seed = seed + 10
		for _, attack := range corpus.Attacks(config) {
			assertRefused(t, attack.Case, attack.Rule)
		}
		for _, benign := range corpus.Benigns(config) {
			assertSigned(t, benign.Case)
			assertRefused(t, benign.Spoiled, benign.Rule)
		}
	}
}

// TestTextLongerThanAnyTransaction: the longest base64 text has room for two
// bytes more than the largest transaction, where it is not padded.
func TestTextLongerThanAnyTransaction(t *testing.T) {
	for length, text := range map[int]string{4098: strings.Repeat("A", 5464), 4097: strings.Repeat("A", 5463) + "="} {
		_, err := signing.Decode(walletfi.Base64Transaction(text))
		refusal := wiretest.As[*signing.GuardError](t, err)
		assert.Equal(t, signing.RuleEncoding, refusal.Rule)
		assert.Equal(t, fmt.Sprintf("%d bytes", length), refusal.Found)
	}
}

// groundsOf are the rules that refuse a case.
func groundsOf(t *testing.T, c corpus.Case) (grounds []signing.Rule, readable bool) {
	t.Helper()
	grounds, readable, err := hold.Guard(c).Grounds(t.Context(), c.Unsigned, hold.Options(c)...)
	require.NoError(t, err, c.Name)
	return grounds, readable
}

// TestCorpusKnockout: each rule is needed. In every format that has attacks of
// a rule, it is the only ground for refusing some of them: without it they
// would be signed.
func TestCorpusKnockout(t *testing.T) {
	attacks := corpus.Attacks(corpusConfig(t))
	total, through := matrix{}, matrix{}
	unreadable, behind := 0, 0
	for _, attack := range attacks {
		grounds, readable := groundsOf(t, attack.Case)
		require.Contains(t, grounds, signing.Rule(attack.Rule), attack.Name)
		total.add(attack.Rule, attack.Format)
		switch {
		case readable && len(signing.GroundsWithout(grounds, signing.Rule(attack.Rule))) == 0:
			through.add(attack.Rule, attack.Format)
			assert.False(t, attack.Unreadable, attack.Name)
		case attack.Unreadable:
			unreadable++
		default:
			behind++
			t.Logf("refused by others than %s: %s", attack.Rule, attack.Name)
		}
	}
	for _, rule := range signing.Rules {
		for _, format := range corpus.Formats() {
			if total[string(rule)][format] > 0 && !lastLine(rule, format) {
				assert.Positive(t, through[string(rule)][format], "%s is never the only ground in %s", rule, format)
			}
		}
	}
	t.Logf("refused by their rule alone: %s", through)
	t.Logf("of %d attacks %d cannot be read at all, and %d are refused by another rule too", len(attacks), unreadable, behind)
}

// lastLine: a v1 transaction of another version is read by no rule at all.
func lastLine(rule signing.Rule, format corpus.Format) bool {
	return rule == signing.RuleVersion && format == corpus.V1
}

// TestBenignHasNoGround: what is signed has no ground for refusing, also of
// rules that come late.
func TestBenignHasNoGround(t *testing.T) {
	benigns := corpus.Benigns(corpusConfig(t))
	require.NotEmpty(t, benigns)
	for _, benign := range benigns {
		grounds, readable := groundsOf(t, benign.Case)
		require.True(t, readable, benign.Name)
		require.Empty(t, grounds, benign.Name)
	}
}
