package smartaccount_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

func TestUnauthorizedIsRefreshedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("at-1", "3600")
		store := new(walletfi.MemoryTokenStore)
		require.NoError(t, store.Save(t.Context(), walletfi.Token{Access: access, Refresh: refresh}))
		c := s.client(t, smartaccount.Config{TokenStore: store})
		_, err := c.CreateAccount(t.Context(), smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal})
		require.NoError(t, err, "a Create too: the 401 says that nothing was created")
		require.Equal(t, []string{"/accounts", "/auth/refresh", "/accounts"}, s.paths())
		require.Equal(t, "at-123456", s.seen[0].token)
		require.Empty(t, s.seen[1].token)
		require.Equal(t, `{"refreshToken":"rt-123456"}`, s.seen[1].body)
		require.Equal(t, "at-1", s.seen[2].token)
		require.Equal(t, s.seen[0].body, s.seen[2].body)
		saved, err := store.Load(t.Context())
		require.NoError(t, err)
		require.Equal(t, "at-1", saved.Access.Reveal())
		require.Equal(t, "rt-123456", saved.Refresh.Reveal(), "the answer has none: the old one is kept")
		require.Equal(t, time.Hour, time.Until(saved.Expiry))
	})
}

func TestRotatedRefreshTokenIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("never", "3600")
		s.answer = func(*http.Request, string) answer {
			s.valid = "at-9"
			return answer{status: 200, body: `{"id": "acc_1", "address": "A1111111111111111111111111111111", "status": "active", "accessToken": "at-9", "refreshToken": "rt-9", "expiresIn": 60, "balance": {}}`}
		}
		c := s.client(t, smartaccount.Config{Token: walletfi.Token{Access: access, Refresh: refresh}})
		get(t, c)
		token, err := c.Token(t.Context())
		require.NoError(t, err)
		require.Equal(t, "rt-9", token.Refresh.Reveal())
	})
}

func TestSessionExpiredIsNotRefreshed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		s.answer = func(*http.Request, string) answer {
			return answer{status: 401, body: `{"error": {"code": "SESSION_EXPIRED", "message": "session key expired"}}`}
		}
		c := s.client(t, smartaccount.Config{Token: walletfi.Token{Access: access, Refresh: refresh}})
		_, err := c.ExecuteTransaction(t.Context(), "acc_1", smartaccount.ExecuteTransactionRequest{Instructions: []smartaccount.Instruction{{ProgramID: "P1111111111111111111111111111111"}}})
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		e := wiretest.As[*smartaccount.Error](t, err)
		require.Equal(t, smartaccount.CodeSessionExpired, e.Code)
		require.Equal(t, []string{"/accounts/acc_1/transactions"}, s.paths())
	})
}

func TestSecond401IsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		refreshing := s.answer
		s.answer = func(r *http.Request, body string) answer {
			if r.Method == http.MethodPost {
				return refreshing(r, body)
			}
			return answer{status: 401, body: `{"error": {"code": "UNAUTHORIZED", "message": "no"}}`}
		}
		c := s.client(t, smartaccount.Config{Token: walletfi.Token{Access: access, Refresh: refresh}})
		require.ErrorIs(t, wiretest.Error(c.GetAccount(t.Context(), "acc_1")), walletfi.ErrUnauthorized)
		require.Equal(t, []string{"/accounts/acc_1", "/auth/refresh", "/accounts/acc_1"}, s.paths())
	})
}

// A lifetime that makes no sense must not make every call refresh.
func TestLifetimes(t *testing.T) {
	for name, c := range map[string]struct {
		expiresIn string
		unit      time.Duration
		expiry    time.Duration // 0 for unknown
	}{
		"seconds":                {"900", 0, 15 * time.Minute},
		"in text":                {`"900"`, 0, 15 * time.Minute},
		"an exponent":            {"1.5e2", 0, 150 * time.Second},
		"milliseconds, said so":  {"900000", time.Millisecond, 15 * time.Minute},
		"milliseconds, not said": {"900000", 0, 250 * time.Hour},
		"a day of milliseconds":  {"86400000", 0, 0},
		"0":                      {"0", 0, 0},
		"negative":               {"-3600", 0, 0},
		"null":                   {"null", 0, 0},
		"words":                  {`"an hour"`, 0, 0},
		"an object":              {`{"seconds": 5}`, 0, 0},
		"not finite":             {`"1e999"`, 0, 0},
		"seconds read as millis": {"3600", time.Millisecond, 3600 * time.Millisecond},
		"a point in time":        {"1767225600", 0, 0},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			s := newService("at-1", c.expiresIn)
			client := s.client(t, smartaccount.Config{Token: walletfi.Token{Refresh: refresh}, ExpiresInUnit: c.unit})
			token, err := client.Token(t.Context())
			require.NoError(t, err)
			if c.expiry == 0 {
				require.True(t, token.Expiry.IsZero(), token.Expiry)
			} else {
				require.Equal(t, c.expiry, time.Until(token.Expiry))
			}
			for range 60 {
				get(t, client)
				pass(time.Second)
			}
			require.LessOrEqual(t, s.count("/auth/refresh"), 7, "within a minute")
			if c.expiry == 0 || c.expiry > time.Minute {
				require.Equal(t, 1, s.count("/auth/refresh"))
			}
		})
	}
}

func TestNotSignedIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		c := s.client(t, smartaccount.Config{})
		_, err := c.GetAccount(t.Context(), "acc_1")
		assertOnly(t, err, walletfi.ErrUnauthorized)
		_, err = c.Token(t.Context())
		assertOnly(t, err, walletfi.ErrUnauthorized)
		require.Empty(t, s.paths())
	})
}

func TestSignInIsUsed(t *testing.T) {
	signIns := map[string]func(ctx context.Context, c *smartaccount.Client) (walletfi.Token, error){
		"email": func(ctx context.Context, c *smartaccount.Client) (walletfi.Token, error) {
			return c.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{Email: "e", Code: walletfi.NewSecret("012345")})
		},
		"passkey": func(ctx context.Context, c *smartaccount.Client) (walletfi.Token, error) {
			return c.AuthenticatePasskey(ctx, smartaccount.AuthenticatePasskeyRequest{CredentialID: "c", Assertion: walletfi.Document(`{}`)})
		},
	}
	for name, signIn := range signIns {
		wiretest.InBubble(t, name, func(t *testing.T) {
			s := newService("", "3600")
			store := new(walletfi.MemoryTokenStore)
			c := s.client(t, smartaccount.Config{TokenStore: store})
			token, err := signIn(t.Context(), c)
			require.NoError(t, err)
			require.Equal(t, "at-1", token.Access.Reveal())
			saved, err := store.Load(t.Context())
			require.NoError(t, err)
			require.Equal(t, "at-1", saved.Access.Reveal())
			get(t, c)
			require.Equal(t, "at-1", s.seen[1].token)
			require.NoError(t, c.SetToken(t.Context(), walletfi.Token{}), "signs out")
			require.ErrorIs(t, wiretest.Error(c.GetAccount(t.Context(), "acc_1")), walletfi.ErrUnauthorized)
			require.Len(t, s.paths(), 2)
		})
		wiretest.InBubble(t, name+", store fails", func(t *testing.T) {
			s := newService("", "3600")
			token, err := signIn(t.Context(), s.client(t, smartaccount.Config{TokenStore: brokenStore{}}))
			require.ErrorContains(t, err, "disk full")
			require.Equal(t, "at-1", token.Access.Reveal(), "not lost")
			require.NotContains(t, err.Error(), "at-1")
		})
	}
}

type brokenStore struct{ walletfi.TokenStore }

func (brokenStore) Load(context.Context) (walletfi.Token, error) { return walletfi.Token{}, nil }
func (brokenStore) Save(context.Context, walletfi.Token) error   { return errors.New("disk full") }
