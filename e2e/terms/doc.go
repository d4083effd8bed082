// Package terms holds the names of all requests and answers to one table, docs/terms.md.
package terms
