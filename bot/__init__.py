"""The application: settings, start-up, live tables, storage, clock, texts and art."""
