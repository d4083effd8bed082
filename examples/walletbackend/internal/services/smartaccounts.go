package services

import (
	"context"
	"sync"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// SmartAccounts holds a client a user, because each user has a token. The tokens
// are in the database, encrypted.
type SmartAccounts struct {
	baseURL string
	db      *store.DB

	mu      sync.Mutex
	clients map[string]*smartaccount.Client
}

// NewSmartAccounts returns the smart accounts of all users.
func NewSmartAccounts(baseURL string, db *store.DB) *SmartAccounts {
	return &SmartAccounts{baseURL: baseURL, db: db, clients: map[string]*smartaccount.Client{}}
}

// Client returns a user's client.
func (s *SmartAccounts) Client(userID string) (*smartaccount.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.clients[userID]; c != nil {
		return c, nil
	}
	c, err := smartaccount.New(smartaccount.Config{BaseURL: s.baseURL, TokenStore: s.db.Token(userID)})
	if err == nil {
		s.clients[userID] = c
	}
	return c, err
}

// SmartAccount is an account with its policies.
type SmartAccount struct {
	smartaccount.Account
	Policies []smartaccount.Policy `json:"policies"`
}

// List lists a user's smart accounts. connected is false if the user has not
// signed in to the service.
func (s *SmartAccounts) List(ctx context.Context, userID string) (all []SmartAccount, connected bool, err error) {
	c, err := s.Client(userID)
	if err != nil {
		return nil, false, err
	}
	if token, err := c.Token(ctx); err != nil || token.Access.IsZero() && token.Refresh.IsZero() {
		return nil, false, err
	}
	page, err := c.ListAccounts(ctx)
	if err != nil {
		return nil, true, err
	}
	for _, listed := range page.Items {
		account, err := c.GetAccount(ctx, listed.ID) // the list has no balances
		if err != nil {
			return nil, true, err
		}
		policies, err := c.ListPolicies(ctx, listed.ID)
		if err != nil {
			return nil, true, err
		}
		all = append(all, SmartAccount{*account, policies.Items})
	}
	return all, true, nil
}
