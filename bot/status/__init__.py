"""Monitoring: metrics, liveness and readiness."""
